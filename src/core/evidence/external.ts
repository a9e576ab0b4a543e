import { lineEndsHint } from '../../contracts/vocabulary/files/evidenceFiles';
import type { Criterion } from '../../contracts/record/header';
import type { TaskEvidence } from '../../contracts/taskEvidence';
import type { RefusalCode } from '../../contracts/vocabulary/codes/codes';
import type { ExecutionState, TaskEvidenceStatus } from '../../contracts/vocabulary/execution';
import { utcSeconds } from './places';

/** One task of an execution by another executor, from its evidence. */
export interface ExternalTask {
  readonly task_id: string;
  readonly depends_on: readonly string[];
  /** Null: not started. */
  readonly evidence: TaskEvidence | null;
  /** False after a crash between writing the task's file and the header. */
  readonly in_header: boolean;
}

export interface ExternalStep {
  readonly task_id: string;
  readonly phase: 'START' | 'END';
  /** Null at START. */
  readonly status: TaskEvidenceStatus | null;
}

export interface ExternalExecution {
  readonly state: ExecutionState;
  /** In plan order. */
  readonly tasks: readonly ExternalTask[];
  readonly max_parallel: number;
  readonly plan_unchanged: boolean;
  /** The plan differs only in line ends or the byte-order mark. */
  readonly only_line_ends?: boolean;
  readonly command: (step: ExternalStep) => string;
}

export type StepVerdict =
  | { readonly kind: 'write' }
  /** The task's file is written already, the header is not. */
  | { readonly kind: 'complete' }
  | { readonly kind: 'refuse'; readonly code: RefusalCode; readonly reason: string; readonly next: readonly string[] };

/**
 * Judges whether another executor may record this step by contract 001. Closes the gaps of the original tools:
 * no END without START, nothing recorded twice, plan order, and no START after a failure or with a changed plan.
 */
export function judgeStep(execution: ExternalExecution, step: ExternalStep): StepVerdict {
  const task = execution.tasks.find((candidate) => candidate.task_id === step.task_id);
  if (task === undefined) {
    return refuse('TASK_UNKNOWN', `The locked plan has no task ${step.task_id}.`, [
      `Its tasks are ${execution.tasks.map((candidate) => candidate.task_id).join(', ')}.`,
    ]);
  }
  return step.phase === 'START' ? judgeStart(execution, task) : judgeEnd(execution, task, step.status);
}

function judgeStart(execution: ExternalExecution, task: ExternalTask): StepVerdict {
  const { task_id } = task;
  if (isEnded(task))
    return refuse('TASK_FINISHED', `Task ${task_id} has ended: what was recorded stays.`, nextSteps(execution));
  const failed = execution.tasks.find((candidate) => candidate.evidence?.status === 'FAILED');
  if (failed !== undefined || isOver(execution.state)) {
    return refuse(
      'MISSION_CLOSED',
      failed === undefined
        ? 'The execution has ended.'
        : `Task ${failed.task_id} failed, and a failed task fails the execution: nothing more starts.`,
      [repairStep],
    );
  }
  if (!execution.plan_unchanged) return planChanged(execution);
  if (task.evidence !== null) {
    return task.in_header
      ? refuse('TASK_OUT_OF_ORDER', `Task ${task_id} was started already.`, [endStep(execution, task_id)])
      : { kind: 'complete' };
  }
  const running = runningTasks(execution);
  if (running.length >= execution.max_parallel) {
    const names = running.map((candidate) => candidate.task_id).join(', ');
    return refuse(
      'TASK_OUT_OF_ORDER',
      `Still running: ${names}.`,
      running.map((one) => endStep(execution, one.task_id)),
    );
  }
  const open = firstOpen(execution, task);
  if (open !== undefined) {
    return refuse('TASK_OUT_OF_ORDER', `Task ${open.task_id} comes before ${task_id} and has not ended.`, [
      open.evidence === null ? startStep(execution, open.task_id) : endStep(execution, open.task_id),
    ]);
  }
  return { kind: 'write' };
}

function judgeEnd(execution: ExternalExecution, task: ExternalTask, status: TaskEvidenceStatus | null): StepVerdict {
  const { task_id } = task;
  if (task.evidence === null) {
    const start = judgeStart(execution, task);
    return refuse(
      'TASK_NOT_RUNNING',
      `Task ${task_id} was not started: an end without a start proves nothing.`,
      start.kind === 'refuse' ? start.next : [startStep(execution, task_id)],
    );
  }
  if (isEnded(task)) {
    return task.in_header
      ? refuse(
          'TASK_FINISHED',
          `Task ${task_id} has ended as ${task.evidence.status ?? ''}: what was recorded stays.`,
          nextSteps(execution),
        )
      : { kind: 'complete' };
  }
  // A failure can always be recorded; success needs the approved plan.
  if (!execution.plan_unchanged && status === 'SUCCESS') return planChanged(execution);
  return { kind: 'write' };
}

const repairStep = 'Plan the repair as a new plan with its own approval.';

/** A task that has to end before this one may start, and that runs or can start now. */
function firstOpen(execution: ExternalExecution, task: ExternalTask): ExternalTask | undefined {
  const { tasks, max_parallel } = execution;
  let first: ExternalTask | undefined;
  for (let at: ExternalTask | undefined = task, left = tasks.length; at?.evidence === null && left > 0; left -= 1) {
    const depends_on: readonly string[] = at.depends_on;
    const before: number = max_parallel > 1 ? 0 : tasks.indexOf(at);
    at = tasks.find((one, index) => (index < before || depends_on.includes(one.task_id)) && !isEnded(one));
    first = at ?? first;
  }
  return first;
}

function nextSteps(execution: ExternalExecution): readonly string[] {
  const open = execution.tasks.filter((task) => !isEnded(task));
  const running = runningTasks(execution);
  const failed = execution.tasks.some((task) => task.evidence?.status === 'FAILED');
  // With a changed plan only a failure can be recorded; after a recorded failure the plan no longer matters.
  if (!execution.plan_unchanged && (running.length > 0 || (open.length > 0 && !failed)))
    return [planChangedStep(execution)];
  const next = open.find((task) => judgeStart(execution, task).kind !== 'refuse');
  if (next) return [startStep(execution, next.task_id)];
  if (running.length > 0) return running.map(({ task_id }) => endStep(execution, task_id));
  return open.length > 0 || failed ? [repairStep] : ['Nothing is left to record: every task has ended.'];
}

function startStep(execution: ExternalExecution, task_id: string): string {
  return execution.command({ task_id, phase: 'START', status: null });
}

function endStep(execution: ExternalExecution, task_id: string): string {
  return execution.command({ task_id, phase: 'END', status: 'SUCCESS' });
}

export interface ExternalEnding {
  readonly outcome: 'COMPLETED' | 'FAILED';
  readonly code: string | null;
  readonly reason: string | null;
}

/** Null while a task is open. A failure ends the execution at once. */
export function endingOf(tasks: readonly Pick<ExternalTask, 'task_id' | 'evidence'>[]): ExternalEnding | null {
  const failed = tasks.find((task) => task.evidence?.status === 'FAILED');
  if (failed !== undefined) {
    const changed = typeof failed.evidence?.plan_sha256_observed === 'string';
    return {
      outcome: 'FAILED',
      code: changed ? 'PLAN_HASH_MISMATCH' : 'TASK_FAILED',
      reason: `Task ${failed.task_id} failed${changed ? ' and the plan was found changed' : ''}.`,
    };
  }
  if (tasks.some((task) => (task.evidence?.status ?? null) === null)) return null;
  const skipped = tasks.filter((task) => task.evidence?.status === 'SKIPPED').map((task) => task.task_id);
  if (skipped.length === 0) return { outcome: 'COMPLETED', code: null, reason: null };
  return { outcome: 'FAILED', code: 'TASK_SKIPPED', reason: `Skipped: ${skipped.join(', ')}.` };
}

/** Judges the success criteria of another executor's work. Only one can be checked: that the plan was valid. */
export function externalCriteria(criteria: readonly string[]): readonly Criterion[] {
  return criteria.map((criterion) =>
    criterion === 'validator_passes'
      ? {
          criterion,
          result: 'met',
          detail: 'The plan passed validation before it was locked; its hash was checked at every step.',
        }
      : {
          criterion,
          result: 'not_machine_checked',
          detail: 'The work was done outside this tool, which did not observe it.',
        },
  );
}

export const notObservedExternally =
  'What the executor did: processes, changed files and verification are not observed by this tool.';

/** Evidence of a task as another executor reports its end; what START wrote stays. */
export function endedEvidence<T extends TaskEvidence>(evidence: T, at: string, ended: Partial<TaskEvidence>): T {
  const { start_notes, end_notes } = { ...evidence, ...ended };
  const notes = [start_notes, end_notes].filter(Boolean);
  return { ...evidence, ...ended, ended_at_utc: utcSeconds(at), notes: notes.length > 0 ? notes.join('\n') : null };
}

function isEnded(task: ExternalTask): boolean {
  return (task.evidence?.status ?? null) !== null;
}

function isOver(state: ExecutionState): boolean {
  return state === 'COMPLETED' || state === 'FAILED' || state === 'REPORTED';
}

function runningTasks({ tasks }: ExternalExecution): readonly ExternalTask[] {
  return tasks.filter((task) => task.evidence !== null && !isEnded(task));
}

function planChanged(execution: ExternalExecution): StepVerdict {
  return refuse(
    'PLAN_HASH_MISMATCH',
    `The plan file is not the one that was locked.${execution.only_line_ends === true ? ` ${lineEndsHint}` : ''}`,
    [planChangedStep(execution)],
  );
}

function planChangedStep(execution: ExternalExecution): string {
  return runningTasks(execution).length > 0
    ? 'Put the locked bytes back (PLAN.locked.json beside the header), or end the running task as FAILED.'
    : 'Put the locked bytes back (PLAN.locked.json beside the header).';
}

function refuse(code: RefusalCode, reason: string, next: readonly string[]): StepVerdict {
  return { kind: 'refuse', code, reason, next };
}
