import type { TreeLayer } from '../../contracts/launch';
import type { AttemptFailure } from './facts';
import { type AttemptRecord, type Launch, startedNothing } from './attempt';
import type { Course, TaskRow } from './state';

/** What a worker wrote in its paths and a layer holds, until its task is verified. */
export interface WaitingWork {
  readonly launch_id: string;
  /** Name of the run directory of the launch. */
  readonly run_dir: string;
  readonly layer: TreeLayer;
}

/** Returns what waits of an attempt, or of the one that it validates; null: nothing does, or it is in the workspace. */
export function waitingWork(
  { attempts }: Pick<TaskRow, 'attempts'>,
  attempt: Pick<AttemptRecord, 'launches' | 'validates' | 'landing'>,
): WaitingWork | null {
  const own = attempt.launches.filter(({ purpose, process, end }) => purpose.kind === 'worker' && (process ?? end));
  const launch = own.at(-1) ?? attempt.validates?.launch;
  const layer = launch?.prepared?.sandbox?.layers?.tree;
  if (!launch || !layer?.waits) return null;
  const { launch_id, run_dir } = launch;
  const hasLanded = [...attempts, attempt].some(({ landing }) => landing?.launch_id === launch_id && !landing.failure);
  return hasLanded ? null : { launch_id, run_dir, layer };
}

/** The rule of verification by which work waits for a person who accepts it. */
export const acceptance = { rule: 'work_accepted', choice: 'accept' } as const;

export function awaitsAcceptance(failure: AttemptFailure | null): boolean {
  return failure?.by?.name === acceptance.rule;
}

/**
 * Returns the work that a person sent back in words: each attempt goes on with it until a worker did so and ended by
 * itself. Null: nothing was.
 */
export function sentBack(
  { packets }: Pick<Course, 'packets'>,
  { task, attempts }: Pick<TaskRow, 'task' | 'attempts'>,
): WaitingWork | null {
  const last = attempts.findLast(
    ({ launches, validates, failure }) => (validates ?? launches.some(hasWorked)) && !endedByLimit(failure),
  );
  if (!last || !awaitsAcceptance(last.failure)) return null;
  const packet = packets.findLast(({ task_id, attempt }) => task_id === task.task_id && attempt === last.attempt);
  return packet?.answer?.choice === null ? waitingWork({ attempts }, last) : null;
}

/** A launch that started nothing may have an end, and one that no owner saw has no process. */
function hasWorked({ purpose, process, end }: Launch): boolean {
  return purpose.kind === 'worker' && (process !== null || (end !== null && !startedNothing(end)));
}

function endedByLimit(failure: AttemptFailure | null): boolean {
  return failure?.kind === 'recoverable' && failure.category === 'rate_limited';
}
