import { besides } from '../mission/lanes';
import { rowOf, type Attempt, type Mission } from '../mission/state';
import type { RawChange } from '../observation/change';
import { divideChanges, type Beside } from '../observation/divide';
import type { PathComparison } from '../paths';

/** Of everything that changed since the baseline of an attempt, what it has to answer for; see `divideChanges`. */
export function ownChanges(
  mission: Mission,
  attempt: Attempt,
  changes: readonly RawChange[],
  comparison: PathComparison,
): ReturnType<typeof divideChanges> {
  const beside = besides(mission, attempt).map(({ row, attempt: other }): Beside => ({
    task_id: row.task.task_id,
    paths: row.task.paths,
    ended_at: 'ended_at' in other && row.lock !== 'held' ? other.ended_at : null,
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
