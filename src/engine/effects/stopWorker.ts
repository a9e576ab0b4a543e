import type { Effect } from '../../core/mission/effects';
import type { Mission } from '../../core/model/state';
import type { EngineOptions } from '../ports/context';
import type { EnginePorts } from '../ports/engine';
import { knownLaunch } from './knownLaunch';
import { launchById } from './launchById';

/** Asks the supervisor to end the whole tree; that it is gone is told by the end of the worker. */
export async function stopWorker(
  effect: Extract<Effect, { kind: 'stopWorker' }>,
  mission: Mission,
  ports: EnginePorts,
  options: EngineOptions,
): Promise<null> {
  const { launch } = launchById(mission, effect.launch_id);
  const runDir = ports.paths.runDir(mission.mission_id, launch.run_dir);
  await ports.launches.requestStop(runDir, knownLaunch(mission, launch, options), effect.reason);
  return null;
}
