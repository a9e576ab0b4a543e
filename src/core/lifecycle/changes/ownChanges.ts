import { ranBeside } from '../../model/lanes';
import type { Attempt, EndedAttempt } from '../../model/attempt';
import { rowOf, type TaskRow, type Tasks } from '../../model/state';
import type { RawChange } from '../../observation/change';
import { divideChanges, type Beside } from '../../observation/assignChangesToLanes';
import { changesAtEnd } from '../../observation/verifyChange';
import type { PathComparison } from '../../paths/compare';
import { pathsHeldAgainst } from '../parts/announced';
import { workerSpan } from '../parts/workerLaunch';

/**
 * The changes since the baseline that this attempt has to answer for, see `divideChanges`.
 *
 * @param until `now`: also what happened after the worker, while its verify commands ran
 */
export function ownChanges(
  mission: Tasks,
  attempt: Attempt,
  changes: readonly RawChange[],
  { comparison, until }: { readonly comparison: PathComparison; readonly until: 'worker_end' | 'now' },
): ReturnType<typeof divideChanges> {
  const workerEnd = until === 'now' ? null : workerSpan(mission, attempt).ended_at;
  // A lane that still ran when this worker ended answers for what it did meanwhile. That holds even
  // where it was observed earlier.
  const endedBefore = (ended_at: string): boolean => workerEnd === null || Date.parse(ended_at) < Date.parse(workerEnd);
  const beside = ranBeside(mission, attempt).map(({ row, attempt: other }): Beside => ({
    task_id: row.task.task_id,
    paths: row.scope.paths,
    since: other.phases.find(({ phase }) => phase === 2)?.at ?? null,
    ended_at: 'ended_at' in other && !isUnproven(row, other) && endedBefore(other.ended_at) ? other.ended_at : null,
    left: changesAtEnd(other.observed?.changes ?? [], other.after_verify?.changes ?? []),
  }));
  return divideChanges({
    changes,
    paths: rowOf(mission, attempt.task_id)?.scope.paths ?? [],
    beside,
    announced: pathsHeldAgainst(attempt),
    evidence: mission.rows.flatMap(({ evidence }) => (evidence ? [evidence] : [])),
    comparison,
  });
}

/** Returns whether processes of this attempt, the row's last one, are not proven gone. */
function isUnproven(row: TaskRow, attempt: EndedAttempt): boolean {
  return row.unproven !== null && row.attempts.at(-1) === attempt;
}
