import { laneOf } from '../model/lanes';
import { rowOf, type Tasks } from '../model/state';
import { overlaps, type PathComparison } from '../paths/compare';
import type { ApprovedPlan } from '../plan/approvedPlan';
import { boundaryOf, type TaskBoundary } from './boundary';

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
  const verified = (rowOf(mission, task_id)?.task.verify.length ?? 0) > 0;
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
