import type { TaskEvidence } from '../../../contracts/taskEvidence';
import { revisedWords } from '../../evidence/revisedWords';
import { revisionFacts } from '../../mission/revision/facts';
import type { Revision } from '../../model/metadata';

/** `timeout_seconds 60 -> 600 from attempt 2 on, by Ada: the build takes longer`. */
export function revisionText(revision: Revision): string {
  const { actor, reason } = revision.decision;
  const who = actor.kind === 'human' ? actor.name : `the ${actor.kind} ${actor.name}`;
  return `${revisedWords(revision)} from attempt ${revision.attempt} on, by ${who}: ${reason}`;
}

/** Makes the form that the evidence of the task has. */
export function revisionDocument(revision: Revision): NonNullable<TaskEvidence['metadata_revised']>[number] {
  return revisionFacts(revision);
}
