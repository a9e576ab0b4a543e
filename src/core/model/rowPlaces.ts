import type { ApprovedPlan } from '../plan/approvedPlan';

interface Rows {
  readonly plan: ApprovedPlan;
  readonly rows: readonly { readonly task: { readonly task_id: string } }[];
}

/** Index of a task's row, -1 for an unknown task. Rows are in plan order, so one map per plan serves every state. */
export function rowPlace({ plan, rows }: Rows, taskId: string): number {
  const place = placesIn(plan).get(taskId);
  if (place !== undefined && rows[place]?.task.task_id === taskId) return place;
  return rows.findIndex((row) => row.task.task_id === taskId);
}

function placesIn(plan: ApprovedPlan): ReadonlyMap<string, number> {
  let found = places.get(plan);
  if (!found) places.set(plan, (found = new Map(plan.tasks.map(({ task_id }, index) => [task_id, index]))));
  return found;
}

const places = new WeakMap<ApprovedPlan, ReadonlyMap<string, number>>();
