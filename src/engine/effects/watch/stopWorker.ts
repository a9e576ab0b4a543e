import { currentLaunch, type Launch } from '../../../core/model/attempt';
import { liveSession, sessionOf } from '../../../core/model/session';
import type { Tasks } from '../../../core/model/state';
import type { EngineOptions } from '../../ports/context';
import type { EnginePorts } from '../../ports/engine';
import { journalledLaunch, launchById } from '../launch/journalledLaunch';
import type { LaunchRun } from '../run/effectRun';

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

/**
 * Asks all live launches to stop. A request that cannot be written is passed over, because the supervisor's deadline
 * ends the worker.
 */
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
