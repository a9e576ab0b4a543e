import type { Revision } from '../../../contracts/taskEvidence';
import { decisionStep } from '../../../base/text/steps';
import type { MetadataChanges } from '../../../contracts/commands/metadataChanges';
import type { ActorKind } from '../../../contracts/vocabulary/actors';
import { isBlank } from '../../../contracts/vocabulary/forms';
import { metadataFields, metadataLimits, type MetadataField } from '../../../contracts/vocabulary/metadata';
import { delegatedAgents, costUnreported } from '../../../workers/registry';
import { wantedModel } from '../../lifecycle/parts/modelSelection';
import type { Mission, TaskRow, Note } from '../../model/state';
import type { PlannedTask } from '../../plan/approvedPlan';
import { isWithin, type TimeLimits } from '../../plan/fields/limits';
import { policyStep, selectModel } from '../../policy/selectModel';
import { refuse, type Refused } from '../parts/commandDecision';
import { timeLimits } from '../../../contracts/vocabulary/plan';
import { appended, changed } from '../../model/draft';

interface Judging extends Pick<Mission, 'mission_id' | 'plan'> {
  /** Null: not judged, because that of this machine is read later. */
  readonly policy: Mission['policy'] | null;
  readonly rows: readonly Pick<TaskRow, 'task'>[];
}
export type RevisedRow = Pick<TaskRow, 'task' | 'attempts' | 'carried' | 'revisions'>;

/**
 * Says why the metadata of a task cannot be revised like this; null: they can. The limits are those of the plan's
 * contract. What the approved bytes name (worker, model) is not replaced. An agent undoes nothing that a person
 * ordered, and lets nothing run longer than four times what the person approved.
 */
export function revisionProblem(
  mission: Judging,
  row: RevisedRow,
  after: MetadataChanges,
  by: ActorKind,
): Refused | null {
  return (
    outOfBounds(mission, row.task, after) ??
    noteProblem(mission, row.task, after) ??
    (by === 'human' ? null : beyondOrchestrator(mission, row, after)) ??
    workerProblem(mission, row, after, by)
  );
}

export function revisableNow(mission: Judging, row: TaskRow): Revision['before'] {
  const { note, worker, model, ...others } = metadataOf(row, 'human');
  const fixed = (field: 'worker' | 'model'): boolean => workerFixed(mission, row, { [field]: 'any' }) !== null;
  return {
    ...others,
    ...(row.task.worker !== 'command' && !row.task.validator && { note: note ?? null }),
    ...(!fixed('worker') && { worker: worker ?? null }),
    ...(!fixed('model') && { model: model ?? null }),
  };
}

/** The command line that revises metadata of a task, and what shows them. */
export function reviseSteps({ mission_id }: Pick<Mission, 'mission_id'>, taskId: string): readonly string[] {
  return [
    decisionStep('packet revise', mission_id, '--task', taskId, '--set', 'FIELD=VALUE'),
    `mission status ${mission_id}`,
  ];
}

function outOfBounds({ mission_id }: Judging, task: PlannedTask, after: MetadataChanges): Refused | null {
  const problem = timesProblem(task, after);
  if (!problem) return null;
  const [any = '', ...others] = reviseSteps({ mission_id }, task.task_id);
  const taken = problem.instead.map((one) =>
    decisionStep('packet revise', mission_id, '--task', task.task_id, ...settings(one)),
  );
  return refuse('REVISION_INVALID', problem.reason, [...(taken.length > 0 ? taken : [any]), ...others]);
}

/** A note is text of a person, which may be long: they give it again. */
function settings(after: MetadataChanges): readonly string[] {
  return Object.entries(after).flatMap(([field, value]) => [
    '--set',
    `${field}=${field === 'note' ? 'TEXT' : String(value)}`,
  ]);
}

function noteProblem(
  mission: Judging,
  { task_id, worker, validator }: PlannedTask,
  { note }: MetadataChanges,
): Refused | null {
  const next = reviseSteps(mission, task_id);
  if (note === undefined || note === '') return null;
  if (validator)
    return refuse(
      'REVISION_INVALID',
      `Task ${task_id} validates a milestone, and its agent reads no note, because the plan alone says what it judges.`,
      next,
    );
  if (worker === 'command')
    return refuse('REVISION_INVALID', `Task ${task_id} runs a command, which reads no note.`, next);
  if (isBlank(note)) return refuse('REVISION_INVALID', 'The note has no visible character.', next);
  if (note.length <= metadataLimits.note) return null;
  const reason = `The note has more than ${metadataLimits.note} characters; name a file that says the rest.`;
  return refuse('REVISION_INVALID', reason, next);
}

function beyondOrchestrator(
  { mission_id, plan }: Judging,
  { task, revisions }: RevisedRow,
  after: MetadataChanges,
): Refused | null {
  const next = reviseSteps({ mission_id }, task.task_id);
  const approved = plan.tasks.find(({ task_id }) => task_id === task.task_id) ?? task;
  for (const field of times) {
    const limit = approved[field] * metadataLimits.orchestrator_times;
    if ((after[field] ?? 0) > limit)
      return refuse(
        'REVISION_REFUSED',
        `An orchestrator may set ${field} to at most ${limit}, ${metadataLimits.orchestrator_times} times what the plan says (${approved[field]}).`,
        next,
      );
  }
  const persons = metadataFields.find(
    (field) =>
      field !== 'note' &&
      after[field] !== undefined &&
      revisions.some((one) => one.decision.actor.kind === 'human' && one.after[field] !== undefined),
  );
  return persons === undefined
    ? null
    : refuse('REVISION_REFUSED', `A person revised ${persons}, and no agent replaces that.`, next);
}

/** Worker and model are a part of what was approved where the plan names them; else they were left open. */
function workerFixed(
  { mission_id, plan }: Judging,
  { task, attempts, carried }: RevisedRow,
  { worker, model }: MetadataChanges,
): Refused | null {
  if (worker === undefined && model === undefined) return null;
  const { task_id } = task;
  const next = reviseSteps({ mission_id }, task_id);
  const approved = plan.tasks.find((one) => one.task_id === task_id) ?? task;
  const field = worker === undefined ? 'model' : 'worker';
  const named = worker === undefined ? approved.model : approved.worker_from === 'default' ? null : approved.worker;
  if (named !== null || (model !== undefined && approved.model !== null))
    return refuse(
      'REVISION_REFUSED',
      `The approved plan names ${named === null ? `the model ${approved.model ?? ''}` : `the ${field} ${named}`} for task ${task_id}; another one needs another plan and its approval.`,
      next,
    );
  if (
    attempts.some(({ launches }) => launches.some(({ process }) => process !== null)) ||
    (carried?.attempts.length ?? 0) > 0
  )
    return refuse('REVISION_REFUSED', `Task ${task_id} has run, so its ${field} stays what it was.`, next);
  if (task.worker !== 'command') return null;
  return refuse('REVISION_REFUSED', `Task ${task_id} runs a command of the plan, and no agent.`, next);
}

function workerProblem(mission: Judging, row: RevisedRow, after: MetadataChanges, by: ActorKind): Refused | null {
  const { plan, policy, rows } = mission;
  const { worker, model } = after;
  const fixed = workerFixed(mission, row, after);
  if (fixed || (worker === undefined && model === undefined)) return fixed;
  const { task } = row;
  const next = reviseSteps(mission, task.task_id);
  if (worker !== undefined && delegatedAgents.includes(worker) && plan.delegates_claude !== true) {
    const reason = `The approved plan does not delegate to ${worker} (execution.delegation.claude_code).`;
    return refuse('REVISION_REFUSED', reason, next);
  }
  if (
    worker !== undefined &&
    plan.budget.usd !== null &&
    plan.budget.tokens === null &&
    costUnreported.includes(worker)
  ) {
    const reason = `${worker} tells no cost, so the budget in dollars that was approved would not bound it.`;
    return refuse('REVISION_REFUSED', reason, next);
  }
  if (worker !== undefined && by !== 'human' && !rows.some((row) => row.task.worker === worker)) {
    const reason = `No task of this mission is performed by ${worker}; only a person brings in another agent.`;
    return refuse('REVISION_REFUSED', reason, next);
  }
  if (model !== undefined && (model.length > metadataLimits.model || !/^[A-Za-z0-9]\S*$/.test(model)))
    return refuse('REVISION_INVALID', `${JSON.stringify(model.slice(0, 80))} is no name of a model.`, next);
  const wanted = wantedModel({ ...task, ...(worker && { worker }), ...(model !== undefined && { model }) });
  const selected = policy && wanted ? selectModel(policy, wanted) : null;
  if (selected?.ok !== false || !wanted || !policy) return null;
  return refuse('MODEL_REFUSED', selected.reason, [policyStep(policy, wanted)]);
}

const times = Object.keys(timeLimits) as (keyof TimeLimits)[];

interface TimesProblem {
  readonly reason: string;
  /** What would be taken in place of it, the likeliest first. */
  readonly instead: readonly MetadataChanges[];
}

/** Says why a task cannot have these time limits, and which it could have; null: it can. The limits are those of the plan's contract. */
function timesProblem(task: TimeLimits, after: MetadataChanges): TimesProblem | null {
  const crossed = crossing(task, after);
  if (!crossed) return null;
  const { reason, instead } = crossed;
  return { reason, instead: instead.filter((one) => isAnother(task, one) && crossing(task, one) === null) };
}

function crossing(task: TimeLimits, after: MetadataChanges): TimesProblem | null {
  const field = times.find((name) => !isWithin(after[name] ?? task[name], timeLimits[name]));
  if (field !== undefined) {
    const { min, max } = timeLimits[field];
    const reason = `${field} is a whole number of seconds from ${min} to ${max}, not ${String(after[field])}.`;
    return { reason, instead: [] };
  }
  const {
    timeout_seconds: timeout,
    heartbeat_interval_seconds: beat,
    max_runtime_seconds: runtime,
  } = { ...task, ...after } as TimeLimits;
  if (times.some((name) => after[name] !== undefined) && timeout <= beat)
    return {
      reason: `timeout_seconds (${timeout}) must be greater than heartbeat_interval_seconds (${beat}), or every attempt looks stale.`,
      instead: [
        { ...after, timeout_seconds: beat + 1 },
        { ...after, heartbeat_interval_seconds: timeout - 1 },
      ],
    };
  if (after.timeout_seconds === undefined || runtime >= timeout) return null;
  return {
    reason: `timeout_seconds (${timeout}) is never reached, because max_runtime_seconds (${runtime}) ends the attempt before.`,
    instead: [
      { ...after, max_runtime_seconds: timeout },
      { ...after, timeout_seconds: runtime },
    ],
  };
}

function isAnother(task: TimeLimits, after: MetadataChanges): boolean {
  return times.some((name) => after[name] !== undefined && after[name] !== task[name]);
}

/** Returns what the changes make different, and what it was. Each kind of author has a note of its own. */
export function differing(row: TaskRow, changes: MetadataChanges, by: ActorKind): Pick<Revision, 'before' | 'after'> {
  const now = metadataOf(row, by);
  const wanted = { ...changes, ...(changes.note !== undefined && { note: changes.note.trim() }) };
  const fields = metadataFields.filter((field) => wanted[field] !== undefined && wanted[field] !== (now[field] ?? ''));
  const picked = <T>(from: Readonly<Partial<Record<MetadataField, T>>>) =>
    Object.fromEntries(fields.map((field) => [field, from[field]]));
  return { before: picked(now), after: picked<unknown>(wanted) };
}

export function withRevision(row: TaskRow, revision: Revision): TaskRow {
  const { note, ...values } = revision.after;
  const { actor } = revision.decision;
  const others = row.notes.filter(({ by }) => by.kind !== actor.kind);
  const notes: readonly Note[] =
    note === undefined ? row.notes : [...others, ...(note === '' ? [] : [{ text: note, by: actor }])];
  return changed(row, {
    task: { ...row.task, ...(values as Partial<TaskRow['task']>) },
    notes,
    revisions: appended(row.revisions, revision),
  });
}

/** The metadata as they are now; the note is that of such an author. */
function metadataOf({ task, notes }: TaskRow, by: ActorKind): Revision['before'] {
  const note = notes.find((one) => one.by.kind === by)?.text ?? null;
  return Object.fromEntries(metadataFields.map((field) => [field, field === 'note' ? note : task[field]]));
}
