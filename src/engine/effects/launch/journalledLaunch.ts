import { laneOfLaunch, laneOf } from '../../../core/model/lanes';
import type { Attempt, Launch } from '../../../core/model/attempt';
import { rowOf, type TaskRow, type Tasks } from '../../../core/model/state';
import type { EngineOptions } from '../../ports/engine';
import type { JournalledLaunch } from '../../ports/launches';
import type { WatchedProcess } from '../../../core/ledger/heartbeat';
import type { PlannedTask } from '../../../core/plan/approvedPlan';

export function launchById(
  mission: Tasks,
  launchId: string,
): { readonly launch: Launch; readonly lane: Attempt; readonly row: TaskRow } {
  const found = laneOfLaunch(mission, launchId);
  if (!found) throw new Error(`No launch ${launchId} in a live attempt.`);
  return { ...found, row: rowOf(mission, found.lane.task_id) };
}

/** Seconds that a session of the runtime orchestrator may take, say nothing, and go on after its decision. */
export const sessionSeconds = { longest: 600, silent: 240, lingering: 60 } as const;

/** A launch as journalled. A worker can write its run directory, so the files there must agree with this. */
export function journalledLaunch(
  mission: Tasks,
  { launch_id, nonce, process }: Pick<Launch, 'launch_id' | 'nonce' | 'process'>,
  { grace_seconds }: EngineOptions,
): JournalledLaunch {
  const isIt = (one: Pick<Launch, 'launch_id'>): boolean => one.launch_id === launch_id;
  const row = mission.rows.find(
    ({ task, attempts }) =>
      attempts.some(({ launches }) => launches.some(isIt)) || laneOf(mission, task.task_id)?.launches.some(isIt),
  );
  if (!row && !mission.sessions.some(({ launch }) => isIt(launch)))
    throw new Error(`No task has the launch ${launch_id}.`);
  const max_runtime_seconds = row?.task.max_runtime_seconds ?? sessionSeconds.longest;
  return { launch_id, nonce, process, max_runtime_seconds, grace_seconds };
}

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
