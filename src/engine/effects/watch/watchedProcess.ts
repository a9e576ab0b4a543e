import type { WatchedProcess } from '../../../core/ledger/silence';
import type { Launch } from '../../../core/model/attempt';
import type { PlannedTask } from '../../../core/plan/approvedPlan';

/** Returns what the watchdog needs of a launch; null before its process was started. */
export function watchedProcess(task: PlannedTask, launch: Launch): WatchedProcess | null {
  if (!launch.process) return null;
  return {
    task_id: task.task_id,
    started_at: launch.process.started_at,
    timeout_seconds: task.timeout_seconds,
    is_agent: launch.purpose.kind === 'worker' && task.worker !== 'command',
  };
}
