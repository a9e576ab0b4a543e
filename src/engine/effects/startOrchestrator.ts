import type { Report } from '../../core/model/inputs';
import { launchFollows } from '../../core/model/lanes';
import { endOfSession } from './awaitOrchestrator';
import { journalledSession, liveSessionOf, stopSession } from './orchestratorSession';
import type { EffectRun } from './effectRun';

/** Starts a supervisor for the ticket of a session, or attaches to the one that took it. */
export async function startOrchestrator({
  effect: { launch_id },
  mission,
  ports,
  options,
}: EffectRun<'startOrchestrator'>): Promise<Report> {
  const session = liveSessionOf(mission, launch_id);
  const runDir = ports.paths.runDir(mission.mission_id, session.launch.run_dir);
  const known = journalledSession(session, options);
  const secret = ports.orchestrator.secret(launch_id);
  const without = (reason: string): Report => ({
    type: 'OrchestratorWasUnavailable',
    launch_id,
    code: 'LAUNCH_REFUSED',
    reason,
  });
  if (!secret) {
    // Another process made the token and is gone. A session that it started goes on; this process cannot start one.
    const standing = await ports.launches.standing(runDir, known);
    if (standing === 'unstarted') {
      await ports.launches.requestStop(runDir, known, 'the owner that knew its token is gone');
      return without('The process that prepared it ended before it was started, and its token with it.');
    }
  }
  const started = await ports.launches.start(runDir, known, {
    secrets: secret ?? {},
    ahead: launchFollows(mission),
  });
  switch (started.kind) {
    case 'running':
      return { type: 'OrchestratorWasStarted', launch_id, process: started.process };
    case 'ended':
      return endOfSession(mission, session, started.exit, ports);
    case 'refused':
      return without(started.reason);
  }
}

/** Asks the supervisor to end the session with its whole tree; `awaitOrchestrator` reports the end. */
export async function stopOrchestrator({
  effect: { launch_id, reason },
  mission,
  ports,
  options,
}: EffectRun<'stopOrchestrator'>): Promise<null> {
  await stopSession(liveSessionOf(mission, launch_id), reason, mission, ports, options);
  return null;
}
