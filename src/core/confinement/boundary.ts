import { reservedPaths } from '../../contracts/vocabulary/plan';
import { needsOf, declaredIntent } from '../context/tier0';
import type { LaunchPurpose } from '../model/events';
import { rowOf, writablePaths, type TaskRow, type Tasks } from '../model/state';
import type { Services } from '../paths/services';
import { caseSensitive, within, type PathComparison, overlaps } from '../paths/compare';
import { laneOf } from '../model/lanes';
import type { ApprovedPlan } from '../plan/approvedPlan';

/** What one launch may write in the workspace; paths are POSIX and relative to its root. */
export interface TaskBoundary {
  readonly writable: readonly string[];
  /** Neither these nor anything below them is writable, even inside `writable`: forbidden, other tasks, reserved. */
  readonly sealed: readonly string[];
  /** Those of `writable` that a layer takes as well. Absent: none. */
  readonly lands?: readonly string[];
  /** What they hold waits in the layer until the task is verified. Absent: it lands when the launch has ended. */
  readonly waits?: true;
  /** False: the launch reaches only a loopback of its own. */
  readonly network: boolean;
  /** What of the machine the launch still reaches. Absent: nothing. */
  readonly services?: Services;
}

/**
 * The approved paths of a task as a boundary for one launch; empty for a task that only reads. A launch of the plan's
 * own commands also writes scratch, and has a network only if the plan says so. An agent needs its provider.
 *
 * Reserved folders are sealed by name, because they may come into being. Forbidden paths and those of other tasks are
 * sealed only inside a writable one: everything else is read-only as it is. A path that this task shares is not sealed.
 */
export function boundaryOf(
  mission: Tasks,
  taskId: string,
  purpose: LaunchPurpose['kind'],
  comparison: PathComparison = caseSensitive,
): TaskBoundary {
  const row = rowOf(mission, taskId);
  const own = writablePaths(row);
  const commands = purpose === 'verify' || row.task.worker === 'command';
  const writable = [...own, ...(commands ? mission.plan.scratch : [])];
  const others = mission.rows.filter((other) => other !== row).flatMap(({ scope }) => scope.paths);
  const sealed = [
    ...row.scope.forbidden_paths,
    ...others.filter((path) => !own.some((one) => within(one, [path], comparison))),
  ].filter((path) => within(path, writable, comparison));
  return {
    writable: [...new Set(writable)],
    sealed: [...new Set([...reservedPaths, ...sealed])],
    ...(mission.plan.layers === 'all' && landsOf(row, purpose, own)),
    network: commands ? mission.plan.network : true,
    ...(commands && mission.plan.services && { services: mission.plan.services }),
  };
}

/** A verify command sees what waits, and what it writes there itself never lands. */
function landsOf({ task }: TaskRow, purpose: LaunchPurpose['kind'], own: readonly string[]) {
  // Mission Control itself writes and reads the file of such a task in the workspace.
  if (own.length === 0 || needsOf({ declared: declaredIntent(task) }).bootstrap) return {};
  return purpose === 'worker' ? ({ lands: own, waits: true } as const) : { lands: own };
}

/**
 * Returns whether a layer takes what a task writes in its paths until it is verified: then another such task may write
 * there too. Of a task that has launched nothing only the plan says so.
 */
export function waitsInLayer(mission: Tasks, row: TaskRow, isLaunched = true): boolean {
  if (mission.plan.layers !== 'all' || row.task.validator || !('waits' in landsOf(row, 'worker', writablePaths(row))))
    return false;
  const lane = laneOf(mission, row.task.task_id);
  const made = lane ?? row.attempts.find(({ attempt }) => attempt === row.validates);
  const launches = [...(lane?.validates ? [lane.validates.launch] : []), ...(made?.launches ?? [])];
  const last = launches.findLast(({ purpose, prepared }) => purpose.kind === 'worker' && prepared)?.prepared;
  return last ? last.sandbox?.layers?.tree?.waits === true : !isLaunched;
}

/** The folders that a launch needs. A path that does not exist yet could become a file or a folder. */
export function foldersOf(
  plan: Pick<ApprovedPlan, 'folders'>,
  { writable }: Pick<TaskBoundary, 'writable'>,
): readonly string[] {
  return writable.flatMap((path) => {
    if (plan.folders.includes(path)) return [path];
    const end = path.lastIndexOf('/');
    return end === -1 ? [] : [path.slice(0, end)];
  });
}

/** `foldersOf` for all launches of a task that are known before its first one. */
export function foldersOfTask(mission: Tasks, task_id: string, comparison: PathComparison): readonly string[] {
  const verified = rowOf(mission, task_id).task.verify.length > 0;
  const purposes = verified ? (['worker', 'verify'] as const) : (['worker'] as const);
  const all = purposes.flatMap((purpose) => foldersOf(mission.plan, boundaryOf(mission, task_id, purpose, comparison)));
  return [...new Set(all)];
}

/** Folders made for launches that no other running task needs; the caller removes the empty ones. */
export function foldersToRemove(mission: Tasks, task_id: string, comparison: PathComparison): readonly string[] {
  const attempts = [...mission.lanes, ...mission.rows.flatMap((row) => row.attempts)];
  const made = attempts.flatMap(({ baseline, launches }) => [
    ...(baseline?.folders ?? []),
    ...launches.flatMap(({ prepared }) => prepared?.sandbox?.folders ?? []),
  ]);
  if (made.length === 0) return [];
  const beside = mission.rows.filter((row) => row.task.task_id !== task_id && laneOf(mission, row.task.task_id));
  const needed = beside.length === 0 ? [] : [...beside.flatMap(({ scope }) => scope.paths), ...mission.plan.scratch];
  return made.filter((folder) => !needed.some((path) => overlaps(folder, path, comparison)));
}
