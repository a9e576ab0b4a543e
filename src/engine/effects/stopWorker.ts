import { currentLaunch, type Launch } from '../../core/model/attempt';
import { liveSession } from '../../core/model/session';
import type { Mission } from '../../core/model/state';
import type { EngineOptions } from '../ports/context';
import type { EnginePorts } from '../ports/engine';
import { journalledLaunch } from './journalledLaunch';
import { launchById } from './launchById';
import { stopSession } from './orchestratorSession';
import type { EffectRun } from './effectRun';

/** Asks the supervisor to end the whole tree; `awaitWorker` reports the end. */
export async function stopWorker({ effect, mission, ports, options }: EffectRun<'stopWorker'>): Promise<null> {
  await stopLaunch(launchById(mission, effect.launch_id).launch, effect.reason, mission, ports, options);
  return null;
}

/**
 * Asks all live launches to stop. A request that cannot be written is passed over, because the supervisor's deadline
 * ends the worker.
 */
export async function stopLiveLaunches(
  reason: string,
  mission: Mission,
  ports: EnginePorts,
  options: EngineOptions,
): Promise<void> {
  const live = mission.lanes.map(currentLaunch).filter((launch) => launch !== undefined);
  const session = liveSession(mission);
  await Promise.allSettled([
    ...live.map((launch) => stopLaunch(launch, reason, mission, ports, options)),
    ...(session?.launch.prepared ? [stopSession(session, reason, mission, ports, options)] : []),
  ]);
}

async function stopLaunch(
  launch: Launch,
  reason: string,
  mission: Mission,
  ports: EnginePorts,
  options: EngineOptions,
): Promise<void> {
  const runDir = ports.paths.runDir(mission.mission_id, launch.run_dir);
  await ports.launches.requestStop(runDir, journalledLaunch(mission, launch, options), reason);
}
