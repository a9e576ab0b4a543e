import type { Revision } from '../../../contracts/taskEvidence';
import { revisedWords } from '../../evidence/revisedWords';

/** `timeout_seconds 60 -> 600 from attempt 2 on, by Ada: the build takes longer`. */
export function revisionText(revision: Revision): string {
  const { actor, reason } = revision.decision;
  const who = actor.kind === 'human' ? actor.name : `the ${actor.kind} ${actor.name}`;
  return `${revisedWords(revision)} from attempt ${revision.attempt} on, by ${who}: ${reason}`;
}
