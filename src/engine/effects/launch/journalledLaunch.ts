import { laneOf, laneOfLaunch } from '../../../core/model/lanes';
import type { Attempt, Launch } from '../../../core/model/attempt';
import { rowOf, type TaskRow, type Tasks } from '../../../core/model/state';
import type { EngineOptions } from '../../ports/context';
import type { JournalledLaunch } from '../../ports/launches';

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

/** A launch of a live attempt, with the attempt and its row. */
export interface LiveLaunch {
  readonly launch: Launch;
  readonly lane: Attempt;
  readonly row: TaskRow;
}

export function launchById(mission: Tasks, launchId: string): LiveLaunch {
  const found = laneOfLaunch(mission, launchId);
  const row = found && rowOf(mission, found.lane.task_id);
  if (!found || !row) throw new Error(`No launch ${launchId} in a live attempt.`);
  return { ...found, row };
}
