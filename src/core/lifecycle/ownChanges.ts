import { besides } from '../mission/lanes';
import { rowOf, type Attempt, type Mission } from '../mission/state';
import type { RawChange } from '../observation/change';
import { divideChanges, type Beside } from '../observation/divide';
import type { PathComparison } from '../paths';
import { workerLaunch } from './workerLaunch';

/** Of everything that changed since the baseline of an attempt, what it has to answer for; see `divideChanges`. */
export function ownChanges(
  mission: Mission,
  attempt: Attempt,
  changes: readonly RawChange[],
  comparison: PathComparison,
): ReturnType<typeof divideChanges> {
  const over = workerLaunch(attempt)?.end?.ended_at ?? null;
  // Whoever was still there when this worker ended holds what it did meanwhile, also where it was seen in the middle of it.
  const leftBefore = (ended_at: string): boolean => over === null || Date.parse(ended_at) < Date.parse(over);
  const beside = besides(mission, attempt).map(({ row, attempt: other }): Beside => ({
    task_id: row.task.task_id,
    paths: row.task.paths,
    ended_at: 'ended_at' in other && row.lock !== 'held' && leftBefore(other.ended_at) ? other.ended_at : null,
    left: other.observed?.changes ?? [],
  }));
  return divideChanges({
    changes,
    paths: rowOf(mission, attempt.task_id)?.task.paths ?? [],
    beside,
    announced: attempt.scope_breach,
    evidence: mission.rows.flatMap(({ evidence }) => (evidence ? [evidence] : [])),
    comparison,
  });
}
