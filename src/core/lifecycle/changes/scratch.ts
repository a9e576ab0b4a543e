import { ranBeside } from '../../model/lanes';
import type { Attempt } from '../../model/attempt';
import { rowOf, type Tasks } from '../../model/state';
import { within, type PathComparison } from '../../paths/compare';

/**
 * Finds which paths are scratch for an attempt: those of the plan that no other task has as its own. An agent may not
 * write them, but a command that ran beside it may have.
 */
export function scratchOf(mission: Tasks, attempt: Attempt, comparison: PathComparison): (path: string) => boolean {
  const scratch = mission.plan.scratch;
  const task = rowOf(mission, attempt.task_id)?.task;
  if (scratch.length === 0 || !task) return () => false;
  const mayWrite = task.worker === 'command' || attempt.launches.some(({ purpose }) => purpose.kind === 'verify');
  if (!mayWrite && ranBeside(mission, attempt).length === 0) return () => false;
  const others = mission.rows.filter(({ task: { task_id } }) => task_id !== attempt.task_id);
  const taken = others.flatMap(({ scope }) => scope.paths);
  return (path) => within(path, scratch, comparison) && !within(path, taken, comparison);
}
