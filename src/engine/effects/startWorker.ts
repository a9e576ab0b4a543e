import type { Report } from '../../core/model/inputs';
import { launchChange } from '../../core/mission/launchChange';
import { launchFollows } from '../../core/model/lanes';
import type { EnginePorts } from '../ports/engine';
import type { JournalledLaunch } from '../ports/launches';
import { announcements, liveScopeOf } from './announcements';
import { journalledLaunch } from './journalledLaunch';
import { launchById } from './launchById';
import { reportEnd } from './reportEnd';
import type { EffectRun } from './effectRun';

/** Starts a supervisor for the ticket, or attaches to the one that took it: never a second worker. */
export async function startWorker({ effect, mission, ports, options }: EffectRun<'startWorker'>): Promise<Report> {
  const { launch, lane } = launchById(mission, effect.launch_id);
  const runDir = ports.paths.runDir(mission.mission_id, launch.run_dir);
  // Shows the change as it was journalled: redacted, and before the worker runs.
  const change = launchChange(lane, launch);
  if (change) await ports.launches.leaveChange(runDir, { ...change, launch_id: launch.launch_id });
  const known = journalledLaunch(mission, launch, options);
  const announcedSoFar = async (): Promise<readonly string[]> => {
    const announced = announcements(liveScopeOf(mission, effect.launch_id, ports));
    for (const signal of await ports.launches.signals(runDir)) announced.saw(signal);
    return announced.paths();
  };
  const started = await ports.launches.start(runDir, known, { ahead: launchFollows(mission) });
  switch (started.kind) {
    case 'running':
      return {
        type: 'WorkerWasStarted',
        launch_id: effect.launch_id,
        process: started.process,
        // A relaunch succeeds only once its process was seen.
        ...(launch.adjustment?.recovery_id && { alive: await seenAlive(runDir, known, ports) }),
      };
    case 'ended':
      return reportEnd(mission, launch, started.exit, ports, await announcedSoFar());
    case 'refused':
      return {
        type: 'LaunchWasImpossible',
        launch_id: effect.launch_id,
        code: 'LAUNCH_REFUSED',
        reason: started.reason,
      };
  }
}

async function seenAlive(runDir: string, known: JournalledLaunch, { launches }: EnginePorts): Promise<boolean> {
  try {
    return (await launches.activity(runDir, known, false)).alive;
  } catch {
    // The look failed, so the end of the launch decides.
    return false;
  }
}
