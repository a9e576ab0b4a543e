import { undoPlan } from '../../src/core/lifecycle/changes/undoPlan';
import type { Report } from '../../src/core/model/inputs';
import { rowOf, type Tasks } from '../../src/core/model/state';

/** An undo that puts back all that it was not to leave. */
export function undone(mission: Tasks, task_id: string): Report {
  const row = rowOf(mission, task_id);
  const plan = row.undoing && undoPlan(row, row.undoing.redo === true);
  if (!plan) throw new Error(`No undo of ${task_id} is asked for.`);
  const { attempt, leaves } = row.undoing;
  const paths = plan.request.steps.map(({ path }) => path).filter((path) => !leaves.includes(path));
  const left = leaves.map((path) => ({ path, why: 'has another content' }));
  return { type: 'AttemptWasUndone', task_id, attempt, paths, left };
}
