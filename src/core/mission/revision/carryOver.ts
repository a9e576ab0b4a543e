import type { Output } from '../../../contracts/taskEvidence';
import { asLeft, inAnyClone, notAsOutput, type Left } from '../../../base/fileState';
import { sameDigest } from '../../../contracts/vocabulary/codes/evidenceFindings';
import type { CarriedFrom, PlannedTask } from '../../plan/approvedPlan';
import type { CarriedTask } from '../../model/carried';
import { type ReceivedPlan, rowNamed, rowOf, type Tasks } from '../../model/state';
import { outputsOf } from '../evidence/outputs';

/** What the disk says now about tasks that would be carried over. */
export interface CarryReading {
  /** What is wrong with the evidence of each task, and with that which it was carried over from itself; null: nothing. */
  readonly evidence: ReadonlyMap<string, string | null>;
  /** What lies at the paths that the tasks left. */
  readonly found: ReadonlyMap<string, Left>;
}

/** Why a task is not carried over; a sentence that follows "because". */
export interface CarryProblem {
  readonly task_id: string;
  readonly reason: string;
}

/** The done tasks of a mission whose evidence is written, as a revision of its plan would carry them over. */
export function doneTasks(mission: Tasks): readonly CarriedTask[] {
  return mission.rows.flatMap((row): readonly CarriedTask[] => {
    const { task, status, evidence } = row;
    // A milestone is validated anew, because the revised plan is another one.
    if (status !== 'done' || evidence?.status !== 'SUCCESS' || task.validator) return [];
    const { plan_id } = mission.plan;
    const from = { plan_id, mission_id: mission.mission_id, evidence_sha256: evidence.sha256.toUpperCase() };
    return [{ task_id: task.task_id, from, outputs: outputsOf(row) }];
  });
}

/** The tasks that a mission says it carried over, for a mission that came here with a handoff. */
export function broughtTasks({ rows }: Tasks): readonly CarriedTask[] {
  return rows.flatMap(({ revised }) => revised ?? []);
}

/** Says why a plan does not carry over the tasks that it marks; by what the journal and the disk say. */
export function carryProblems(
  tasks: readonly PlannedTask[],
  mission: Tasks,
  reading: CarryReading,
): readonly CarryProblem[] {
  return problemsOf(tasks, mission, reading, { done: doneTasks(mission), problem: carryProblem });
}

/** The same where a mission of this plan came here with a handoff: it says what it carried over. */
export function broughtProblems(
  tasks: readonly PlannedTask[],
  mission: Tasks,
  reading: CarryReading,
): readonly CarryProblem[] {
  return problemsOf(tasks, mission, reading, { done: broughtTasks(mission), problem: broughtProblem });
}

function problemsOf(
  tasks: readonly PlannedTask[],
  mission: Tasks,
  reading: CarryReading,
  { done, problem }: { readonly done: readonly CarriedTask[]; readonly problem: typeof carryProblem },
): readonly CarryProblem[] {
  const carried = tasks.filter(({ carried_from }) => carried_from);
  const gates = gatesOf(tasks, mission, new Set(carried.map(({ task_id }) => task_id)));
  const stands = standing(
    done.filter(({ task_id }) => carried.some((task) => task.task_id === task_id)),
    reading,
  );
  return carried.flatMap((task) => {
    const { task_id, carried_from } = task;
    const reason =
      gates(task) ??
      (carried_from
        ? (problem(task, carried_from, mission) ?? evidenceProblem(task_id, reading) ?? stands.get(task_id) ?? null)
        : null);
    return reason ? [{ task_id, reason }] : [];
  });
}

/** Splits done tasks into carried ones and those that changed, have wrong evidence, or rest on such a task. */
export function carriable(
  mission: Tasks,
  tasks: readonly PlannedTask[],
  reading: CarryReading,
): { readonly carried: readonly CarriedTask[]; readonly problems: readonly CarryProblem[] } {
  const planned = new Map(tasks.map((task) => [task.task_id, task]));
  let carried = doneTasks(mission).filter(({ task_id }) => planned.has(task_id));
  const problems: CarryProblem[] = [];
  for (let before = -1; before !== carried.length;) {
    before = carried.length;
    const stands = standing(carried, reading);
    const ids = new Set(carried.map(({ task_id }) => task_id));
    const gates = gatesOf(tasks, mission, ids);
    const wrong = carried.flatMap(({ task_id }): readonly CarryProblem[] => {
      const task = planned.get(task_id);
      const waits = task?.depends_on.find((id) => !ids.has(id) && !planned.get(id)?.validator);
      const reason =
        (task ? changeProblem(mission, task) : null) ??
        evidenceProblem(task_id, reading) ??
        stands.get(task_id) ??
        (waits === undefined ? null : `it depends on ${waits}, which is not carried over`) ??
        (task ? gates(task) : null);
      return reason === null ? [] : [{ task_id, reason }];
    });
    problems.push(...wrong);
    carried = carried.filter(({ task_id }) => !wrong.some((one) => one.task_id === task_id));
  }
  return { carried, problems };
}

/** The fields by which a task of a revision differs from the task that was done; empty: it is the same work. */
export function changedFields(before: PlannedTask, after: PlannedTask): readonly string[] {
  return comparedFields
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => (field === 'validator' ? 'validate' : field));
}

/** What a task is; limits of time, priority and dependencies only say how and when it runs. */
const comparedFields = [
  ...(['description', 'worker', 'command', 'model', 'tier', 'intent', 'prompt', 'requires', 'paths'] as const),
  ...(['forbidden_paths', 'acceptance_criteria', 'verify', 'writes', 'validator'] as const),
] satisfies readonly (keyof PlannedTask)[];

function carryProblem(task: PlannedTask, from: CarriedFrom, mission: Tasks): string | null {
  const row = rowNamed(mission, task.task_id);
  if (!row) return `mission ${mission.mission_id} has no such task`;
  if (row.status !== 'done' || row.evidence?.status !== 'SUCCESS')
    return `it is ${row.status.replace('_', ' ')} in mission ${mission.mission_id}, and not done with evidence`;
  return (
    changeProblem(mission, task) ??
    (sameDigest(row.evidence.sha256, from.evidence_sha256)
      ? null
      : 'the evidence it names is not the one that the journal recorded')
  );
}

function broughtProblem(task: PlannedTask, from: CarriedFrom, mission: Tasks): string | null {
  const brought = rowNamed(mission, task.task_id)?.revised?.from;
  const same =
    brought?.plan_id === from.plan_id &&
    brought.mission_id === from.mission_id &&
    sameDigest(brought.evidence_sha256, from.evidence_sha256);
  return same ? changeProblem(mission, task) : `mission ${mission.mission_id} did not carry it over from there`;
}

function changeProblem(mission: ReceivedPlan, task: PlannedTask): string | null {
  // Compares the task as it was approved, because revised metadata make no other task of it.
  const before = mission.plan.tasks.find(({ task_id }) => task_id === task.task_id);
  const changed = before ? changedFields(before, task) : [];
  return changed.length === 0 ? null : `it is another task than the one that was done (${changed.join(', ')} changed)`;
}

/**
 * Says why a done task behind a validation is done again; null: what was accepted before it is as it was. The
 * milestone itself is validated anew, before anything else behind it starts.
 *
 * @param carried the tasks that are carried over
 */
function gatesOf(
  tasks: readonly PlannedTask[],
  mission: Tasks,
  carried: ReadonlySet<string>,
): (task: Behind) => string | null {
  const units = new Map(tasks.flatMap((task) => (task.validator ? [[task.task_id, task] as const] : [])));
  return gates;

  function gates({ depends_on, behind = [] }: Behind): string | null {
    return [...depends_on, ...behind].map(changed).find((reason) => reason !== null) ?? null;
  }
  function changed(id: string): string | null {
    const unit = units.get(id);
    if (!unit) return null;
    const before = mission.plan.tasks.find(({ task_id }) => task_id === id);
    if (!before || rowOf(mission, id).status !== 'done')
      return `it comes after ${id}, which accepted nothing in mission ${mission.mission_id}`;
    const fields = changedFields(before, unit);
    if (fields.length > 0)
      return `it comes after ${id}, which validates something else now (${fields.join(', ')} changed)`;
    const again = unit.after?.find((one) => !carried.has(one));
    return again === undefined ? gates(unit) : `it comes after ${id}, and ${again} before it is done again`;
  }
}

type Behind = Pick<PlannedTask, 'depends_on' | 'behind'>;

function evidenceProblem(taskId: string, { evidence }: CarryReading): string | null {
  return evidence.has(taskId) ? (evidence.get(taskId) ?? null) : 'its evidence was not looked for';
}

/** Says how files differ from what the last task that changed them left, by task; others are as they were left. */
function standing(tasks: readonly CarriedTask[], reading: CarryReading): ReadonlyMap<string, string> {
  const last = new Map<string, Output>();
  for (const output of tasks.flatMap(({ outputs }) => outputs))
    if ((last.get(output.path)?.at ?? '') <= output.at) last.set(output.path, output);
  const found = new Map<string, string>();
  for (const { task_id, outputs } of tasks) {
    const changed = outputs.flatMap((output) => {
      const { path } = output;
      const now = reading.found.get(path) ?? { kind: 'unknown', why: 'it was not looked at' };
      const how = notAsOutput(asLeft(last.get(path) ?? output), inAnyClone(now));
      return how === null ? [] : [`${path} ${how}`];
    });
    if (changed.length === 0) continue;
    const more = changed.length > namedChanges ? [`${changed.length - namedChanges} more`] : [];
    found.set(task_id, [...changed.slice(0, namedChanges), ...more].join('; '));
  }
  return found;
}

const namedChanges = 3;
