import { laneOf } from '../../core/model/lanes';
import type { Launch } from '../../core/model/attempt';
import type { Mission } from '../../core/model/state';
import type { EngineOptions } from '../ports/context';
import type { JournalledLaunch } from '../ports/launches';
import { journalledSession } from './orchestratorSession';

/** A launch as journalled. A worker can write its run directory, so the files there must agree with this. */
export function journalledLaunch(
  mission: Mission,
  launch: Pick<Launch, 'launch_id' | 'nonce' | 'process'>,
  options: EngineOptions,
): JournalledLaunch {
  const row = mission.rows.find(
    ({ task, attempts }) =>
      attempts.some(({ launches }) => launches.some(({ launch_id }) => launch_id === launch.launch_id)) ||
      laneOf(mission, task.task_id)?.launches.some(({ launch_id }) => launch_id === launch.launch_id),
  );
  const session = mission.sessions.find((one) => one.launch.launch_id === launch.launch_id);
  if (session) return journalledSession(session, options);
  if (!row) throw new Error(`No task has the launch ${launch.launch_id}.`);
  return {
    launch_id: launch.launch_id,
    nonce: launch.nonce,
    process: launch.process,
    max_runtime_seconds: row.task.max_runtime_seconds,
    grace_seconds: options.grace_seconds,
  };
}
