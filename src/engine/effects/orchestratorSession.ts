import { orchestratorSessionFile } from '../../contracts/vocabulary/orchestrator';
import type { OrchestratorSessionRecord } from '../../contracts/orchestratorSession';
import { documentText } from '../../base/json';
import { sessionOf, type Session } from '../../core/model/session';
import type { Mission } from '../../core/model/state';
import type { EngineOptions } from '../ports/context';
import type { EnginePorts } from '../ports/engine';
import type { JournalledLaunch } from '../ports/launches';
import { put, type SendReport } from './written';

/** Seconds that a session may take, say nothing, and go on after its decision. */
export const sessionSeconds = { longest: 600, silent: 240, lingering: 60 } as const;

export function liveSessionOf(mission: Mission, launchId: string): Session {
  const session = sessionOf(mission, launchId);
  if (!session) throw new Error(`No live session has the launch ${launchId}.`);
  return session;
}

/** Its launch as journalled: the session may write a part of its run directory. */
export function journalledSession({ launch }: Session, options: EngineOptions): JournalledLaunch {
  const { launch_id, nonce, process } = launch;
  const max_runtime_seconds = sessionSeconds.longest;
  return { launch_id, nonce, process, max_runtime_seconds, grace_seconds: options.grace_seconds };
}

/** Asks the supervisor to end it with its whole tree. */
export async function stopSession(
  session: Session,
  reason: string,
  mission: Mission,
  ports: EnginePorts,
  options: EngineOptions,
): Promise<void> {
  const runDir = ports.paths.runDir(mission.mission_id, session.launch.run_dir);
  await ports.launches.requestStop(runDir, journalledSession(session, options), reason);
}

/** Leaves the record of the session in the mission's folder. */
export async function recordSession(
  mission: Mission,
  session: Session,
  endedAt: string | null,
  ports: EnginePorts,
  send: SendReport,
): Promise<void> {
  const { launch, packet_id, task_id } = session;
  const record: OrchestratorSessionRecord = {
    schemaVersion: 1,
    missionId: mission.mission_id,
    sessionId: launch.session_id,
    sessionPath: ports.paths.missionFile(mission.mission_id, `runs/${launch.run_dir}`),
    createdAt: launch.requested_at,
    active: endedAt === null,
    worker: mission.orchestrator?.worker ?? 'claude',
    model: launch.prepared?.model ?? mission.orchestrator?.model ?? null,
    packetId: packet_id,
    taskId: task_id,
    launchId: launch.launch_id,
    endedAt,
  };
  const path = ports.paths.missionFile(mission.mission_id, orchestratorSessionFile);
  await put(path, documentText(record), mission, ports, send);
}
