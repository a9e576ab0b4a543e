import type { WatchedProcess } from '../../core/ledger/silence';
import { rowOf, type Launch, type Mission } from '../../core/mission/state';

/** What the watchdog has to know of a launch of the live attempt; null before its process was started. */
export function watchedProcess(mission: Mission, launch: Launch): WatchedProcess | null {
  const task = rowOf(mission, mission.attempt?.task_id ?? '')?.task;
  if (!task || !launch.process) return null;
  return {
    task_id: task.task_id,
    started_at: launch.process.started_at,
    timeout_seconds: task.timeout_seconds,
    speaks: launch.purpose.kind === 'worker' && task.worker !== 'command',
  };
}
