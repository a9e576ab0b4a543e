import type { TaskEvidence } from '../../contracts/taskEvidence';
import type { Revision } from '../model/metadata';

type RevisionFacts = NonNullable<TaskEvidence['metadata_revised']>[number];

/** A revision as the evidence has it, and a handoff. */
export function revisionFacts({ before, after, attempt, packet_id, decision }: Revision): RevisionFacts {
  const { actor, reason, at } = decision;
  const revised_by = { kind: actor.kind, name: actor.name, reason, at };
  return { before: { ...before }, after: { ...after }, from_attempt: attempt, packet_id, revised_by };
}

export function revisionOf({ before, after, from_attempt, packet_id, revised_by: by }: RevisionFacts): Revision {
  const decision = { actor: { kind: by.kind, name: by.name }, reason: by.reason, at: by.at };
  return { before, after, attempt: from_attempt, packet_id, decision };
}
