import { isObject, listAt, objectAt, textAt, valueAt, type JsonObject } from '../../base/json';
import type { CarriedFrom } from './approvedPlan';

/** What the runner itself says of a revision, whose text an agent or a person wrote. */
export interface RevisionFacts {
  readonly plan_id: string;
  readonly supersedes: string;
  /** ISO-8601 UTC. */
  readonly created_at: string;
  readonly planner: string;
  /** The tasks that are carried over, by id. */
  readonly carried: ReadonlyMap<string, CarriedFrom>;
}

/** Text of a DRAFT without any approval, with exactly the tasks marked as done that are carried over. */
export function revisionText(plan: JsonObject, facts: RevisionFacts): string {
  const { approval: _approval, tasks: _tasks, status: _status, supersedes: _supersedes, ...others } = plan;
  const required = valueAt(objectAt(plan, 'approval'), 'required');
  const draft = {
    ...others,
    plan_id: facts.plan_id,
    supersedes: facts.supersedes,
    created_at: facts.created_at,
    planner: facts.planner,
    status: 'DRAFT',
    tasks: (listAt(plan, 'tasks') ?? []).map((task) => (isObject(task) ? marked(task, facts.carried) : task)),
    approval: { required: typeof required === 'boolean' ? required : true },
  };
  const order = Object.keys(plan);
  const place = (key: string): number => {
    const at = order.indexOf(key === 'supersedes' && !order.includes(key) ? 'plan_id' : key);
    return at === -1 ? order.length : at;
  };
  // Sorting keeps plan_id before a new supersedes.
  const entries = Object.entries(draft).sort(([left], [right]) => place(left) - place(right));
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}

/** The id of the nth revision: `x`, `x-r2` and `x-r3` are of one family. */
export function revisionId(planId: string, n: number): string {
  return `${planId.replace(/-r[1-9]\d{0,5}$/, '')}-r${n}`;
}

/** The number of a plan among the revisions of its family; 1: the plan itself. */
export function revisionNumber(planId: string): number {
  return Number(/-r([1-9]\d{0,5})$/.exec(planId)?.[1] ?? 1);
}

function marked(task: JsonObject, carried: RevisionFacts['carried']): JsonObject {
  const { carried_from: _before, ...own } = task;
  const from = carried.get(textAt(task, 'task_id') ?? '');
  return from ? { ...own, carried_from: from } : own;
}
