import type { Effect } from '../../core/mission/effects';
import type { Report } from '../../core/model/inputs';
import type { Mission } from '../../core/model/state';
import type { EngineOptions } from '../ports/context';
import type { EnginePorts } from '../ports/engine';
import { knownLaunch } from './knownLaunch';
import { launchById } from './launchById';
import { reportEnd } from './reportEnd';

/** Starts a supervisor for the ticket, or attaches to the one that claimed it: never a second worker. */
export async function startWorker(
  effect: Extract<Effect, { kind: 'startWorker' }>,
  mission: Mission,
  ports: EnginePorts,
  options: EngineOptions,
): Promise<Report> {
  const { launch } = launchById(mission, effect.launch_id);
  const started = await ports.launches.start(
    ports.paths.runDir(mission.mission_id, launch.run_dir),
    knownLaunch(mission, launch, options),
  );
  switch (started.kind) {
    case 'running':
      return { type: 'WorkerWasStarted', launch_id: effect.launch_id, process: started.process };
    case 'ended':
      return reportEnd(mission, launch, started.exit, ports);
    case 'refused':
      return {
        type: 'LaunchWasImpossible',
        launch_id: effect.launch_id,
        code: 'LAUNCH_REFUSED',
        reason: started.reason,
      };
  }
}
