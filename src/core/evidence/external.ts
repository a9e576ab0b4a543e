import { done, refused, type Outcome } from '../../base/outcome';
import { lineEndsHint } from '../../contracts/vocabulary/files/evidenceFiles';
import type { Criterion } from '../../contracts/record/header';
import type { TaskEvidence } from '../../contracts/taskEvidence';
import type { ExecutionState, TaskEvidenceStatus } from '../../contracts/vocabulary/execution';
import { isOver } from '../execution/envelope';
import { utcSeconds } from './places';

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

/**
 * Judges whether another executor may record this step by contract 001. Closes the gaps of the original tools:
 * no END without START, nothing recorded twice, plan order, and no START after a failure or with a changed plan.
 * True: it is written; false: the task's file is written already, and the header is not.
 */
export function judgeStep(execution: ExternalExecution, { task_id, phase, status }: ExternalStep): Outcome<boolean> {
  const task = execution.tasks.find((candidate) => candidate.task_id === task_id);
  if (task !== undefined) return phase === 'START' ? judgeStart(execution, task) : judgeEnd(execution, task, status);
  const known = execution.tasks.map((candidate) => candidate.task_id).join(', ');
  return refused('TASK_UNKNOWN', `The locked plan has no task ${task_id}.`, `Its tasks are ${known}.`);
}

function judgeStart(execution: ExternalExecution, task: ExternalTask): Outcome<boolean> {
  const { task_id } = task;
  if (isEnded(task))
    return refused('TASK_FINISHED', `Task ${task_id} has ended: what was recorded stays.`, ...nextSteps(execution));
  const failed = execution.tasks.find(hasFailed);
  if (failed !== undefined || isOver(execution.state)) {
    const reason = failed
      ? `Task ${failed.task_id} failed, and a failed task fails the execution: nothing more starts.`
      : 'The execution has ended.';
    return refused('MISSION_CLOSED', reason, repairStep);
  }
  if (!execution.plan_unchanged) return planChanged(execution);
  if (task.evidence !== null)
    return task.in_header
      ? refused('TASK_OUT_OF_ORDER', `Task ${task_id} was started already.`, endStep(execution, task))
      : done(false);
  const running = execution.tasks.filter(isRunning);
  if (running.length >= execution.max_parallel) {
    const names = running.map((candidate) => candidate.task_id).join(', ');
    return refused('TASK_OUT_OF_ORDER', `Still running: ${names}.`, ...running.map((one) => endStep(execution, one)));
  }
  const open = firstOpen(execution, task);
  if (open === undefined) return done(true);
  const reason = `Task ${open.task_id} comes before ${task_id} and has not ended.`;
  return refused('TASK_OUT_OF_ORDER', reason, open.evidence ? endStep(execution, open) : startStep(execution, open));
}

function judgeEnd(
  execution: ExternalExecution,
  task: ExternalTask,
  status: TaskEvidenceStatus | null,
): Outcome<boolean> {
  const { task_id, evidence } = task;
  if (evidence === null) {
    const why = `Task ${task_id} was not started: an end without a start proves nothing.`;
    const verdict = refused('TASK_NOT_RUNNING', why, startStep(execution, task));
    const start = judgeStart(execution, task);
    // What keeps it from its start comes first.
    return start.ok ? verdict : { ok: false, refusal: { ...verdict.refusal, next: start.refusal.next } };
  }
  if (isEnded(task)) {
    const reason = `Task ${task_id} has ended as ${evidence.status ?? ''}: what was recorded stays.`;
    return task.in_header ? refused('TASK_FINISHED', reason, ...nextSteps(execution)) : done(false);
  }
  // A failure can always be recorded; success needs the approved plan.
  return !execution.plan_unchanged && status === 'SUCCESS' ? planChanged(execution) : done(true);
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
  const { tasks, plan_unchanged } = execution;
  const open = tasks.filter((task) => !isEnded(task));
  const running = tasks.filter(isRunning);
  const failed = tasks.some(hasFailed);
  // With a changed plan only a failure can be recorded; after a recorded failure the plan no longer matters.
  if (!plan_unchanged && (running.length > 0 || (open.length > 0 && !failed))) return [planChangedStep(execution)];
  const next = open.find((task) => judgeStart(execution, task).ok);
  if (next) return [startStep(execution, next)];
  if (running.length > 0) return running.map((task) => endStep(execution, task));
  return open.length > 0 || failed ? [repairStep] : ['Nothing is left to record: every task has ended.'];
}

function startStep(execution: ExternalExecution, { task_id }: ExternalTask): string {
  return execution.command({ task_id, phase: 'START', status: null });
}

function endStep(execution: ExternalExecution, { task_id }: ExternalTask): string {
  return execution.command({ task_id, phase: 'END', status: 'SUCCESS' });
}

export interface ExternalEnding {
  readonly outcome: 'COMPLETED' | 'FAILED';
  readonly code: string | null;
  readonly reason: string | null;
}

/** Null while a task is open. A failure ends the execution at once. */
export function endingOf(tasks: readonly ExternalTask[]): ExternalEnding | null {
  const failed = tasks.find(hasFailed);
  if (failed !== undefined) {
    const changed = typeof failed.evidence?.plan_sha256_observed === 'string';
    return {
      outcome: 'FAILED',
      code: changed ? 'PLAN_HASH_MISMATCH' : 'TASK_FAILED',
      reason: `Task ${failed.task_id} failed${changed ? ' and the plan was found changed' : ''}.`,
    };
  }
  if (!tasks.every(isEnded)) return null;
  const skipped = tasks.filter((task) => task.evidence?.status === 'SKIPPED').map((task) => task.task_id);
  if (skipped.length === 0) return { outcome: 'COMPLETED', code: null, reason: null };
  return { outcome: 'FAILED', code: 'TASK_SKIPPED', reason: `Skipped: ${skipped.join(', ')}.` };
}

/** Judges the success criteria of another executor's work. Only one can be checked: that the plan was valid. */
export function externalCriteria(criteria: readonly string[]): readonly Criterion[] {
  return criteria.map((criterion) => ({
    criterion,
    ...(criterion === 'validator_passes'
      ? {
          result: 'met',
          detail: 'The plan passed validation before it was locked; its hash was checked at every step.',
        }
      : { result: 'not_machine_checked', detail: 'The work was done outside this tool, which did not observe it.' }),
  }));
}

export const notObservedExternally =
  'What the executor did: processes, changed files and verification are not observed by this tool.';

/** Evidence of a task as another executor reports its end; what START wrote stays. */
export function endedEvidence<T extends TaskEvidence>(evidence: T, at: string, ended: Partial<TaskEvidence>): T {
  const { start_notes, end_notes } = { ...evidence, ...ended };
  const notes = [start_notes, end_notes].filter(Boolean);
  return { ...evidence, ...ended, ended_at_utc: utcSeconds(at), notes: notes.length > 0 ? notes.join('\n') : null };
}

export function isEnded({ evidence }: ExternalTask): boolean {
  return (evidence?.status ?? null) !== null;
}

function isRunning(task: ExternalTask): boolean {
  return task.evidence !== null && !isEnded(task);
}

function hasFailed({ evidence }: ExternalTask): boolean {
  return evidence?.status === 'FAILED';
}

function planChanged(execution: ExternalExecution): Outcome<never> {
  const hint = execution.only_line_ends === true ? ` ${lineEndsHint}` : '';
  const reason = `The plan file is not the one that was locked.${hint}`;
  return refused('PLAN_HASH_MISMATCH', reason, planChangedStep(execution));
}

function planChangedStep({ tasks }: ExternalExecution): string {
  return tasks.some(isRunning)
    ? 'Put the locked bytes back (PLAN.locked.json beside the header), or end the running task as FAILED.'
    : 'Put the locked bytes back (PLAN.locked.json beside the header).';
}
