import type { Plan } from '../../contracts/plan';
import { validatorIntent } from '../../contracts/vocabulary/milestones';
import { failureLimits } from '../../contracts/vocabulary/plan';
import { objectAt, objectsAt, textAt } from '../../base/json';
import { timeLimitsOf } from './fields/limits';
import type { ApprovedPlan, PlannedTask } from './approvedPlan';

/** An id that no task has and that names files; one plan gives the same ids, also after a handoff. For any value. */
export function validatorIds(plan: unknown): ReadonlyMap<string, string> {
  const taken = new Set(objectsAt(plan, 'tasks').map(([task]) => (textAt(task, 'task_id') ?? '').toLowerCase()));
  const ids = new Map<string, string>();
  for (const [milestone] of objectsAt(plan, 'milestones')) {
    const id = textAt(milestone, 'id');
    if (id === null || objectAt(milestone, 'validate') === null || ids.has(id)) continue;
    // Ids have at most 80 characters.
    const wanted = `validate-${id}`.slice(0, 72);
    let free = wanted;
    for (let next = 2; taken.has(free.toLowerCase()); next += 1) free = `${wanted}-${next}`;
    taken.add(free.toLowerCase());
    ids.set(id, free);
  }
  return ids;
}

/**
 * The tasks of a plan with the units that validate its milestones, each behind the last task of its milestone. What has
 * to end before is in `after`, where a task that a person skipped counts as ended; what has to be done is in
 * `depends_on`. Without milestones the tasks are as they were.
 */
export function withMilestones(
  { milestones = [], ...plan }: Pick<Plan, 'milestones' | 'tasks'>,
  tasks: readonly PlannedTask[],
): Pick<ApprovedPlan, 'tasks' | 'milestones'> {
  if (milestones.length === 0) return { tasks };
  const ids = validatorIds({ milestones, tasks: plan.tasks });
  const known = new Set(milestones.map(({ id }) => id));
  const ofTask = new Map(plan.tasks.map(({ task_id, milestone }) => [task_id, milestone]));
  const members = (id: string): readonly PlannedTask[] => tasks.filter(({ task_id }) => ofTask.get(task_id) === id);
  /** What the next milestone waits for. */
  let gate: Gate = { depends_on: [], after: [] };
  const gates = new Map<string, Gate>();
  const validators = new Map<string, PlannedTask>();
  for (const milestone of milestones) {
    const { id } = milestone;
    if (gates.has(id)) continue;
    gates.set(id, gate);
    const own = members(id);
    const task_id = ids.get(id);
    // The gate stays in front of what is behind it: a person who skips a validation skips the tasks that wait for it,
    // and skipped tasks count as ended.
    const endGate = own.length === 0 ? gate : { ...gate, after: own.map((task) => task.task_id) };
    if (task_id !== undefined) {
      const covered = own.length === 0 ? tasks : own;
      validators.set(id, { ...validatorOf(milestone, task_id, covered), ...behind({ depends_on: [] }, endGate) });
    }
    gate = task_id === undefined ? endGate : { depends_on: [task_id], after: [] };
  }
  const ordered = tasks.map((task): PlannedTask => {
    const milestone = ofTask.get(task.task_id);
    if (milestone === undefined || !known.has(milestone)) return task;
    const before = gates.get(milestone) ?? gate;
    // The task was done behind an accepted milestone, so it waits for nothing now.
    if (task.carried_from) return { ...task, behind: before.depends_on, milestone };
    return { ...task, ...behind(task, before), milestone };
  });
  return { tasks: placed(ordered, validators), milestones: milestones.map(({ id, title }) => ({ id, title })) };
}

type Gate = Required<Pick<PlannedTask, 'depends_on' | 'after'>>;

function behind(
  { depends_on }: Pick<PlannedTask, 'depends_on'>,
  gate: Gate,
): Pick<PlannedTask, 'depends_on' | 'after'> {
  return {
    depends_on: [...new Set([...depends_on, ...gate.depends_on])],
    ...(gate.after.length > 0 && { after: gate.after }),
  };
}

/** Puts each validator behind the last task of its milestone; without a task, behind the validator before. */
function placed(tasks: readonly PlannedTask[], validators: ReadonlyMap<string, PlannedTask>): readonly PlannedTask[] {
  const rows = [...tasks];
  let before = -1;
  for (const [id, validator] of validators) {
    before = Math.max(
      before,
      rows.findLastIndex(({ milestone }) => milestone === id),
    );
    before += 1;
    rows.splice(before, 0, validator);
  }
  return rows;
}

type Milestone = NonNullable<Plan['milestones']>[number];

/** The unit that validates a milestone. It only reads, and it judges the paths of the tasks that it validates. */
function validatorOf(
  { id, title, validate = {} }: Milestone,
  task_id: string,
  covered: readonly PlannedTask[],
): Omit<PlannedTask, 'depends_on' | 'after'> {
  const worker = validate.worker ?? 'command';
  const mode = validate.mode ?? 'scrutiny';
  return {
    task_id,
    description: `Validate milestone ${id}: ${title}`,
    worker,
    command: [],
    model: validate.model ?? null,
    tier: null,
    intent: validatorIntent,
    intent_from: 'declared',
    prompt: null,
    requires: [],
    paths: [...new Set(covered.flatMap(({ paths }) => paths))],
    forbidden_paths: [],
    acceptance_criteria: [],
    verify: validate.verify ?? [],
    ...timeLimitsOf({}),
    priority: 'normal',
    writes: false,
    milestone: id,
    validator: {
      title,
      mode,
      assertions: (validate.assertions ?? []).map((text, index) => ({ id: `A${index + 1}`, text })),
      failure_limit: validate.failure_limit ?? failureLimits.default,
    },
  };
}
