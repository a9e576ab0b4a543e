import { currentLaunch, type Launch } from '../../../core/model/attempt';
import { liveSession, sessionOf } from '../../../core/model/session';
import { type Tasks, rowOf } from '../../../core/model/state';
import type { EngineOptions, EnginePorts } from '../../ports/engine';
import { journalledLaunch, launchById } from '../launch/journalledLaunch';
import type { LaunchRun, EffectRun } from '../run/effectRun';
import type { Report } from '../../../core/model/inputs';

/** Asks the supervisor to end the whole tree; the wait for the launch reports the end. */
export async function stopWorker({ effect, mission, ports, options }: StopRun): Promise<null> {
  const session = sessionOf(mission, effect.launch_id);
  const { launch } = session ?? launchById(mission, effect.launch_id);
  await stopLaunch(launch, effect.reason, mission, ports, options);
  return null;
}

interface StopRun extends LaunchRun {
  readonly effect: { readonly launch_id: string; readonly reason: string };
}

/** Passes over a request that cannot be written, because the supervisor's deadline ends the worker. */
export async function stopLiveLaunches(
  reason: string,
  mission: Tasks,
  ports: EnginePorts,
  options: EngineOptions,
): Promise<void> {
  const live = mission.lanes.map(currentLaunch).filter((launch) => launch !== undefined);
  const session = liveSession(mission);
  const started = session?.launch.prepared ? [...live, session.launch] : live;
  await Promise.allSettled(started.map((launch) => stopLaunch(launch, reason, mission, ports, options)));
}

async function stopLaunch(
  launch: Pick<Launch, 'launch_id' | 'nonce' | 'process' | 'run_dir'>,
  reason: string,
  mission: Tasks,
  ports: EnginePorts,
  options: EngineOptions,
): Promise<void> {
  const runDir = ports.paths.runDir(mission.mission_id, launch.run_dir);
  await ports.launches.requestStop(runDir, journalledLaunch(mission, launch, options), reason);
}

/** Looks again for the processes of an ended launch that were not proven gone, and ends them. */
export async function proveTreeGone({ effect, mission, ports, options }: EffectRun<'proveTreeGone'>): Promise<Report> {
  const { task_id, launch_id, run_dir } = effect;
  const launch = rowOf(mission, task_id)
    .attempts.flatMap((attempt) => attempt.launches)
    .find((candidate) => candidate.launch_id === launch_id);
  if (!launch) throw new Error(`No launch ${launch_id} of ${task_id}.`);
  const runDir = ports.paths.runDir(mission.mission_id, run_dir);
  const { gone, survivors } = await ports.launches.proveGone(runDir, journalledLaunch(mission, launch, options));
  return { type: 'TreeWasLookedFor', task_id, launch_id, gone, survivors };
}
