import type { TaskOutcome } from '../../contracts/launch';
import { workerLaunch } from '../lifecycle/workerLaunch';
import type { Launch } from '../model/attempt';
import type { TaskRow } from '../model/state';
import { isStopped } from './stopped';

/** The outcome of a task for the terminal of its last worker; null while it runs, and when no worker was launched. */
export function taskOutcome(row: TaskRow): { readonly launch: Launch; readonly outcome: TaskOutcome } | null {
  const { task, status, code, reason, attempts } = row;
  const last = attempts.at(-1);
  const launch = last && workerLaunch(last);
  if (!launch || status === 'todo' || status === 'in_progress') return null;
  const { launch_id } = launch;
  const skipped = row.skipped && status === 'canceled' ? ({ skipped: true } as const) : {};
  const outcome = { launch_id, task_id: task.task_id, status, stopped: isStopped(row), ...skipped, code, reason };
  return { launch, outcome };
}
