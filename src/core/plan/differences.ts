import type { ApprovedPlan, PlannedTask } from './approvedPlan';
import { allFields } from './fields/planFields';

/** A value that a revision changes, as JSON; null: it is not there. */
export interface Difference {
  /** The name in the plan, such as `execution.scratch` or `T1 verify`. */
  readonly what: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** All by which a revision differs from the plan that it supersedes, without its name and its approval. */
export function differences(before: ApprovedPlan, after: ApprovedPlan): readonly Difference[] {
  const named = members.flatMap(([what, member]) => compared(what, before[member], after[member]));
  const earlier = new Map(before.tasks.map((task) => [task.task_id, task]));
  const tasks = after.tasks.flatMap((task) => {
    const old = earlier.get(task.task_id);
    return old === undefined ? [] : taskFields(old, task);
  });
  return [...named, ...tasks];
}

function taskFields(before: PlannedTask, after: PlannedTask): readonly Difference[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof PlannedTask)[];
  return fields
    .filter((field) => !derived.has(field))
    .flatMap((field) => compared(`${after.task_id} ${field}`, before[field], after[field]));
}

/** What other fields of a plan say, or that only says what is done already. */
const derived: ReadonlySet<keyof PlannedTask> = new Set([
  ...(['carried_from', 'behind', 'after', 'intent_from', 'worker_from', 'writes'] as const),
]);

/** The members that a revision compares, each with the name of its field in the plan. */
const members = allFields.flatMap(([place, { as, named = place }]) =>
  as === undefined ? [] : [[named, as as keyof ApprovedPlan] as const],
);

function compared(what: string, before: unknown, after: unknown): readonly Difference[] {
  const [was, is] = [textOf(before), textOf(after)];
  return was === is ? [] : [{ what, before: was, after: is }];
}

/** An empty list and a no are no values: a plan may leave the field out. */
function textOf(value: unknown): string | null {
  const isNone =
    value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);
  return isNone ? null : JSON.stringify(value);
}
