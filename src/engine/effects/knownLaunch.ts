import { laneOf } from '../../core/model/lanes';
import type { Launch, Mission } from '../../core/model/state';
import type { EngineOptions } from '../ports/context';
import type { KnownLaunch } from '../ports/launches';

/** What the journal says of a launch: the files of its run directory have to agree with it, a worker can write there. */
export function knownLaunch(mission: Mission, launch: Launch, options: EngineOptions): KnownLaunch {
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
