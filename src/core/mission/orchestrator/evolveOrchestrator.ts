import { appended, changed, exchanged } from '../../model/draft';
import type { OrchestratorEvent } from '../../model/orchestratorEvents';
import { runDirNumber } from '../../model/runDirs';
import { liveSession, type Session } from '../../model/session';
import type { Mission } from '../../model/state';

/** Folds an event of the runtime orchestrator. Throws only on a broken invariant. */
export function evolveOrchestrator(mission: Mission, event: OrchestratorEvent, at: string): Mission {
  switch (event.type) {
    case 'OrchestratorDispatched':
      return dispatched(mission, event, at);
    case 'OrchestratorPrepared':
      return withSession(mission, (session) => ({
        ...session,
        launch: { ...session.launch, prepared: event.prepared },
        token_public_key: event.token_public_key,
        manifest_sha256: event.manifest_sha256,
      }));
    case 'OrchestratorStarted':
      return withSession(mission, (session) => ({ ...session, launch: { ...session.launch, process: event.process } }));
    case 'OrchestratorUsageSeen':
      return withSession(mission, (session) => ({
        ...session,
        launch: { ...session.launch, usage_seen: event.usage },
      }));
    case 'OrchestratorAsked': {
      const { type: _type, launch_id: _launch, choice = null, revision, draft, ...request } = event;
      return withSession(mission, (session) => ({
        ...session,
        requests: [...session.requests, request],
        choice: session.choice ?? choice,
        revisions: revision ? [...session.revisions, revision] : session.revisions,
        drafts: draft ? [...session.drafts, draft] : session.drafts,
      }));
    }
    case 'OrchestratorStopRequested':
      return withSession(mission, (session) => ({
        ...session,
        stop: session.stop ?? { code: event.code, reason: event.reason },
      }));
    case 'OrchestratorEnded':
      return withSession({ ...mission, acknowledged: null }, (session) => ({
        ...session,
        launch: { ...session.launch, end: event.end },
        result: event.result,
        ended_at: at,
      }));
    case 'OrchestratorUnavailable':
      return withSession({ ...mission, acknowledged: null }, (session) => ({
        ...session,
        result: { kind: 'unavailable', code: event.code, reason: event.reason, changes: [] },
        ended_at: at,
      }));
    case 'SessionRecorded':
      return changed(mission, { closing_sha256: event.seal.sha256 });
  }
}

export function withSession(mission: Mission, change: (session: Session) => Session): Mission {
  const live = liveSession(mission);
  if (!live) throw new Error('Broken invariant: an event of an orchestrator session without one.');
  return changed(mission, { sessions: exchanged(mission.sessions, mission.sessions.length - 1, change(live)) });
}

function dispatched(
  mission: Mission,
  event: Extract<OrchestratorEvent, { type: 'OrchestratorDispatched' }>,
  at: string,
): Mission {
  if (liveSession(mission)) throw new Error('Broken invariant: two orchestrator sessions at once.');
  const { launch_id, session_id, nonce, run_dir, packet_id, task_id } = event;
  const session: Session = {
    packet_id,
    task_id,
    launch: {
      ...{ launch_id, session_id, nonce, run_dir },
      requested_at: at,
      prepared: null,
      process: null,
      worker_session_id: null,
      end: null,
    },
    token_public_key: null,
    manifest_sha256: null,
    external_saves: [],
    requests: [],
    choice: null,
    revisions: [],
    drafts: [],
    stop: null,
    stopped_by: null,
    result: null,
    ended_at: null,
  };
  return changed(mission, {
    sessions: appended(mission.sessions, session),
    launches: Math.max(mission.launches, runDirNumber(run_dir)),
  });
}
