import type { TaskOutcome } from '../../contracts/launch';
import { workerLaunch } from '../lifecycle/workerLaunch';
import type { Launch, TaskRow } from '../model/state';
import { isStopped } from './stopped';

/** What became of a task, for whoever looks at its last worker; null while it goes on, and where none was launched. */
export function taskOutcome(row: TaskRow): { readonly launch: Launch; readonly outcome: TaskOutcome } | null {
  const { task, status, code, reason, attempts } = row;
  const last = attempts.at(-1);
  const launch = last && workerLaunch(last);
  if (!launch || status === 'todo' || status === 'in_progress') return null;
  const { launch_id } = launch;
  return { launch, outcome: { launch_id, task_id: task.task_id, status, stopped: isStopped(row), code, reason } };
}
