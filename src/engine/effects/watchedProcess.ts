import type { WatchedProcess } from '../../core/ledger/silence';
import type { Launch } from '../../core/model/state';
import type { PlannedTask } from '../../core/plan/approvedPlan';

/** What the watchdog has to know of a launch of the live attempt; null before its process was started. */
export function watchedProcess(task: PlannedTask, launch: Launch): WatchedProcess | null {
  if (!launch.process) return null;
  return {
    task_id: task.task_id,
    started_at: launch.process.started_at,
    timeout_seconds: task.timeout_seconds,
    speaks: launch.purpose.kind === 'worker' && task.worker !== 'command',
  };
}
