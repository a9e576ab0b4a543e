import { ranBeside } from '../model/lanes';
import { rowOf, type Attempt, type EndedAttempt, type Mission, type TaskRow } from '../model/state';
import type { RawChange } from '../observation/change';
import { divideChanges, type Beside } from '../observation/divide';
import { changesAtEnd } from '../observation/verifyChange';
import type { PathComparison } from '../paths/compare';
import { workerLaunch } from './workerLaunch';

/** Of everything that changed since the baseline of an attempt, what it has to answer for; see `divideChanges`. */
export function ownChanges(
  mission: Mission,
  attempt: Attempt,
  changes: readonly RawChange[],
  comparison: PathComparison,
  /** `now`: also what happened after the worker, while its verify commands ran. */
  { until }: { readonly until: 'worker_end' | 'now' } = { until: 'worker_end' },
): ReturnType<typeof divideChanges> {
  const over = until === 'now' ? null : (workerLaunch(attempt)?.end?.ended_at ?? null);
  // Whoever was still there when this worker ended holds what it did meanwhile, also where it was seen in the middle of it.
  const leftBefore = (ended_at: string): boolean => over === null || Date.parse(ended_at) < Date.parse(over);
  const beside = ranBeside(mission, attempt).map(({ row, attempt: other }): Beside => ({
    task_id: row.task.task_id,
    paths: row.scope.paths,
    since: other.phases.find(({ phase }) => phase === 2)?.at ?? null,
    ended_at: 'ended_at' in other && !holdsOn(row, other) && leftBefore(other.ended_at) ? other.ended_at : null,
    left: changesAtEnd(other.observed?.changes ?? [], other.after_verify?.changes ?? []),
  }));
  return divideChanges({
    changes,
    paths: rowOf(mission, attempt.task_id)?.scope.paths ?? [],
    beside,
    announced: attempt.scope_breach,
    evidence: mission.rows.flatMap(({ evidence }) => (evidence ? [evidence] : [])),
    comparison,
  });
}

/** Its processes are not proven gone; a later attempt of the same task holds the lock for itself. */
function holdsOn(row: TaskRow, attempt: EndedAttempt): boolean {
  return row.unproven !== null && row.attempts.at(-1) === attempt;
}
