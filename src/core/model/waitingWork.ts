import type { TreeLayer } from '../../contracts/launch';
import type { AttemptFailure } from './facts';
import type { AttemptRecord } from './attempt';
import type { TaskRow } from './state';

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

/** Returns the work that a person sent back in words: the attempt goes on with it. Null: nothing was. */
export function sentBack(
  { attempts }: Pick<TaskRow, 'attempts'>,
  { answers }: Pick<AttemptRecord, 'answers'>,
): WaitingWork | null {
  const last = attempts.findLast(({ launches, validates }) => validates ?? launches.length > 0);
  if (!last || !awaitsAcceptance(last.failure)) return null;
  return answers.length > last.answers.length && answers.at(-1)?.choice === null
    ? waitingWork({ attempts }, last)
    : null;
}
