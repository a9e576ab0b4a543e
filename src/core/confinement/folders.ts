import { laneOf } from '../model/lanes';
import type { Mission } from '../model/state';
import { overlaps, type PathComparison } from '../paths/compare';
import type { ApprovedPlan } from '../plan/approvedPlan';
import type { TaskBoundary } from './boundary';

/**
 * The folders that a launch has to find: those that the plan writes as folders, and the ones above everything else,
 * because what does not exist can be a file or a folder.
 */
export function foldersOf(plan: ApprovedPlan, { writable }: Pick<TaskBoundary, 'writable'>): readonly string[] {
  return writable.flatMap((path) => {
    if (plan.folders?.includes(path) === true) return [path];
    const end = path.lastIndexOf('/');
    return end === -1 ? [] : [path.slice(0, end)];
  });
}

/** Folders that were made for launches and may go if they are empty, because no other task that runs needs them. */
export function foldersToRemove(mission: Mission, task_id: string, comparison: PathComparison): readonly string[] {
  const attempts = [...mission.lanes, ...mission.rows.flatMap((row) => row.attempts)];
  const made = attempts.flatMap(({ launches }) => launches.flatMap(({ prepared }) => prepared?.sandbox?.folders ?? []));
  if (made.length === 0) return [];
  const beside = mission.rows.filter((row) => row.task.task_id !== task_id && laneOf(mission, row.task.task_id));
  const needed =
    beside.length === 0 ? [] : [...beside.flatMap(({ scope }) => scope.paths), ...(mission.plan.scratch ?? [])];
  return made.filter((folder) => !needed.some((path) => overlaps(folder, path, comparison)));
}
