import type { ApprovedPlan, PlannedTask } from './approvedPlan';

/** A value that a revision changes, as JSON; null: it is not there. */
export interface Difference {
  /** The name in the plan, such as `execution.scratch` or `T1 verify`. */
  readonly what: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** All by which a revision differs from the plan that it supersedes, without its name and its approval. */
export function differences(before: ApprovedPlan, after: ApprovedPlan): readonly Difference[] {
  const named = Object.entries(planNames).flatMap(([field, what]) =>
    what === null ? [] : compared(what, before[field as keyof ApprovedPlan], after[field as keyof ApprovedPlan]),
  );
  const tasks = after.tasks.flatMap((task) => {
    const old = before.tasks.find(({ task_id }) => task_id === task.task_id);
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

/** Null: it names the plan or its approval, or stands in another field. */
const planNames: { readonly [F in keyof Required<ApprovedPlan>]: string | null } = {
  plan_id: null,
  supersedes: null,
  approved_by: null,
  approved_at: null,
  tasks: null,
  folders: null,
  goal_id: 'goal_id',
  risk_level: 'risk.level',
  scope_allowed: 'scope.allowed',
  scope_forbidden: 'scope.forbidden',
  milestones: 'milestones',
  confinement: 'execution.confinement',
  network: 'execution.network',
  services: 'execution.network and devices',
  agent_network: 'execution.agent_network',
  env_names: 'execution.env',
  scratch: 'execution.scratch',
  project_instructions: 'execution.project_instructions',
  recovery_allow: 'execution.recovery.allow',
  recovery_directories: 'execution.recovery.directories',
  after_limit: 'execution.recovery.after_limit',
  constraints: 'execution.delegation.constraints',
  delegates_claude: 'execution.delegation.claude_code',
  limits: 'execution.limits',
  budget: 'execution.budget',
  environment: 'execution.environment',
  mode: 'execution.mode',
  max_parallel: 'execution.max_parallel',
  on_block: 'execution.on_block',
  success_criteria: 'success_criteria',
};

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
