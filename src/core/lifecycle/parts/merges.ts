import { leftWord } from '../../../base/nameMark';
import type { Attempt } from '../../model/attempt';
import { ranBeside } from '../../model/lanes';
import { rowOf, type TaskRow, type Tasks } from '../../model/state';
import { layerMaker, waitingWork } from '../../model/waitingWork';
import type { Change } from '../../observation/change';
import { inScope, overlaps, type PathComparison } from '../../paths/compare';
import { strayed } from './strays';

/** What another task put into the workspace. */
export type LandedChange = Change & { readonly task_id: string };

/**
 * Returns what other tasks landed since a layer was made, where the layer changes it as well. The layer has to take that
 * in before its work lands. Empty: nothing, or that is done.
 *
 * @param isUnderWay also what is just being put there
 * @param held what the layer holds of these paths as well, although no look at it saw that
 */
export function dueMerges(
  mission: Tasks,
  row: TaskRow,
  attempt: Attempt,
  { isUnderWay = false, held = [] }: { readonly isUnderWay?: boolean; readonly held?: readonly string[] } = {},
): readonly LandedChange[] {
  const work = waitingWork(row, attempt);
  if (!work || !attempt.observed) return [];
  const { comparison, changes } = attempt.observed;
  const maker = layerMaker(row, attempt, work);
  const ofLayer = [...row.attempts.filter((one) => one.attempt >= maker.attempt), attempt];
  const taken = new Set(
    ofLayer.flatMap(({ merged = [] }) =>
      merged.flatMap(({ since, left }) => (since === work.layer.since ? [left] : [])),
    ),
  );
  // An observation after the landing shows what landed in place of what the layer has there.
  const own = ofLayer.flatMap((one) => [
    ...(one.observed?.changes ?? []).flatMap(({ path, layered }) => (layered ? [path] : [])),
    ...strayed(one)
      .flatMap((held) => held.changes.map(({ path }) => path))
      .filter((path) => inScope(path, row.scope.paths, comparison)),
    ...held,
  ]);
  // Its layer was made over that already.
  const isBelow = (one: Change): boolean =>
    changes.some(
      ({ path, kind, layered, before_sha256, before_mode, after_mode }) =>
        layered &&
        path === one.path &&
        kind !== 'added' &&
        before_sha256 === one.after_sha256 &&
        (before_mode ?? after_mode) === one.after_mode,
    );
  return landedBeside(mission, { ...attempt, validates: null, started_seq: maker.started_seq }, isUnderWay).filter(
    (one) => !taken.has(leftWord(one)) && !isBelow(one) && own.some((path) => overlaps(path, one.path, comparison)),
  );
}

/** The last change of each path counts. */
function landedBeside(mission: Tasks, attempt: Attempt, isUnderWay: boolean): readonly LandedChange[] {
  const landed = ranBeside(mission, attempt).flatMap(({ attempt: other }) => {
    const { landing, task_id, observed } = other;
    const isNow = isUnderWay && 'stage' in other && other.stage.at === 'landing' && !other.stage.merges;
    const seq = isNow ? Infinity : landing && !landing.failure ? landing.seq : null;
    const changes = observed?.changes.filter(({ layered }) => layered) ?? [];
    return seq === null ? [] : [{ seq, changes: changes.map((change) => ({ ...change, task_id })) }];
  });
  const last = landed.toSorted((one, other) => one.seq - other.seq).flatMap(({ changes }) => changes);
  return [...new Map(last.map((change) => [change.path, change])).values()];
}

/** Returns whether a task that may write in the same paths puts its work there now, or merges it. */
export function landsBeside(mission: Tasks, { task, scope }: TaskRow, comparison: PathComparison): boolean {
  return mission.lanes.some(({ task_id, stage }) => {
    const other = rowOf(mission, task_id).scope;
    return (
      stage.at === 'landing' &&
      task_id !== task.task_id &&
      other.paths.some((one) => scope.paths.some((path) => overlaps(one, path, comparison)))
    );
  });
}
