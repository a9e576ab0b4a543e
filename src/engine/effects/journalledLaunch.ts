import { laneOf } from '../../core/model/lanes';
import type { Launch } from '../../core/model/attempt';
import type { Mission } from '../../core/model/state';
import type { EngineOptions } from '../ports/context';
import type { JournalledLaunch } from '../ports/launches';

/** A launch as journalled. A worker can write its run directory, so the files there must agree with this. */
export function journalledLaunch(mission: Mission, launch: Launch, options: EngineOptions): JournalledLaunch {
  const row = mission.rows.find(
    ({ task, attempts }) =>
      attempts.some(({ launches }) => launches.some(({ launch_id }) => launch_id === launch.launch_id)) ||
      laneOf(mission, task.task_id)?.launches.includes(launch),
  );
  if (!row) throw new Error(`No task has the launch ${launch.launch_id}.`);
  return {
    launch_id: launch.launch_id,
    nonce: launch.nonce,
    process: launch.process,
    max_runtime_seconds: row.task.max_runtime_seconds,
    grace_seconds: options.grace_seconds,
  };
}
