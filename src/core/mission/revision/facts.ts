import type { TaskEvidence } from '../../../contracts/taskEvidence';
import type { Revision } from '../../model/metadata';
import { decidedBy, decisionOf } from '../../observation/outstanding';

type RevisionFacts = NonNullable<TaskEvidence['metadata_revised']>[number];

/** A revision as the evidence has it, and a handoff. */
export function revisionFacts({ before, after, attempt, packet_id, decision }: Revision): RevisionFacts {
  return {
    before: { ...before },
    after: { ...after },
    from_attempt: attempt,
    packet_id,
    revised_by: decidedBy(decision),
  };
}

export function revisionOf({ before, after, from_attempt, packet_id, revised_by: by }: RevisionFacts): Revision {
  return { before, after, attempt: from_attempt, packet_id, decision: decisionOf(by) };
}
