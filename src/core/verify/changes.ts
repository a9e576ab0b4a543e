import type { TaskEvidence } from '../../contracts/taskEvidence';
import { sameDigest } from '../../contracts/vocabulary/codes/evidenceFindings';
import { goneIn } from '../../base/foldChanges';
import { blocks } from '../observation/attribute';
import { placeKey, undoes } from '../observation/outstanding';

type AttemptEvidence = NonNullable<TaskEvidence['attempts']>[number];
type ChangeEvidence = AttemptEvidence['changes'][number];

/**
 * Returns what the attributions of a task's changes contradict, as `[sentence, pointer]`. A doubt blocks and accuses no
 * worker; a task with a change that blocks succeeds only once that change is gone, or a person has accepted it.
 */
export function changeContradictions(evidence: TaskEvidence): readonly (readonly [message: string, pointer: string])[] {
  const attempts = evidence.attempts ?? [];
  return attempts.flatMap((attempt, index) =>
    attempt.changes.flatMap((change, place) => {
      const message =
        misattributed(change) ??
        (evidence.status === 'SUCCESS' && index === attempts.length - 1 ? unsettled(evidence, attempt, change) : null);
      return message === null ? [] : [[message, `/attempts/${index}/changes/${place}`] as const];
    }),
  );
}

function misattributed(change: ChangeEvidence): string | null {
  const { path, attribution, in_scope, violation, doubt, by_others, relied_on } = change;
  if (doubt !== undefined && (attribution !== 'unattributed' || in_scope || violation !== null))
    return `${path} is recorded as a doubt, and also as attributed, as in scope or as a violation.`;
  if (by_others && (attribution !== 'external_change' || violation !== null))
    return `${path} is recorded as made by others, and also held against a worker.`;
  if (relied_on !== undefined && !by_others) return `${path} is recorded as relied on, but not as made by others.`;
  return null;
}

/** An acceptance covers the bytes that a person was shown. */
function unsettled(evidence: TaskEvidence, attempt: AttemptEvidence, change: ChangeEvidence): string | null {
  if (!blocks(change) || isLeftover(attempt, change)) return null;
  const settled = (evidence.outstanding ?? []).some((entry) =>
    entry.settled?.how === 'accepted'
      ? placeKey(entry) === placeKey(change) && sameDigest(entry.found_sha256 ?? '', change.after_sha256 ?? '')
      : goneIn(entry) === attempt.attempt && undoes(change, entry),
  );
  return settled
    ? null
    : `SUCCESS although no record says that a person accepted ${change.path}, which blocks, or put it back.`;
}

/** Beside other tasks a file that a verify command left has no known maker; it is recorded, and does not block. */
function isLeftover({ verify_changes }: AttemptEvidence, change: ChangeEvidence): boolean {
  return (verify_changes?.changes ?? []).some(
    (left) => placeKey(left) === placeKey(change) && left.attribution === change.attribution && left.blocks === null,
  );
}
