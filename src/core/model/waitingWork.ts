import type { TreeLayer } from '../../contracts/launch';
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
