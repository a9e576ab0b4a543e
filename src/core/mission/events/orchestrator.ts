import { confinementWords } from '../../../base/text/words';
import { type EventTable, inSession, withSession } from '../parts/evolveParts';
import type { EventOf } from '../../model/events';
import { appended, changed } from '../../model/draft';
import { runDirNumber } from '../../model/runDirs';
import { type Session, liveSession } from '../../model/session';
import type { SessionResult } from '../../model/sessionFacts';
import { type Mission, packetOf, rowOf } from '../../model/state';

export const orchestratorEvents = {
  OrchestratorDispatched: {
    shown: { stream: 'status', printed: true },
    fold: dispatched,
    line: (event) =>
      `The orchestrator is asked about ${event.task_id} (packet ${event.packet_id}), in ${event.run_dir}.`,
  },
  OrchestratorPrepared: {
    shown: { stream: 'status' },
    fold: inSession((session, event) => ({
      launch: { ...session.launch, prepared: event.prepared },
      token_public_key: event.token_public_key,
      manifest_sha256: event.manifest_sha256,
    })),
    line: (event) => {
      const { worker, cli_version, confinement } = event.prepared;
      return `Orchestrator prepared: ${worker}${cli_version === null ? '' : ` ${cli_version}`} (confined by ${confinementWords[confinement]}).`;
    },
  },
  OrchestratorStarted: {
    shown: { stream: 'status' },
    fold: inSession((session, event) => ({ ...session, launch: { ...session.launch, process: event.process } })),
    line: (event) => `Orchestrator started as process ${event.process.worker?.pid ?? 'unknown'}.`,
  },
  OrchestratorUsageSeen: {
    shown: { stream: 'status' },
    fold: inSession((session, event) => ({
      launch: { ...session.launch, usage_seen: event.usage },
    })),
    line: (event) =>
      `Orchestrator: ${(event.usage.input_tokens ?? 0) + (event.usage.output_tokens ?? 0)} tokens so far.`,
  },
  OrchestratorAsked: {
    shown: { stream: 'status', printed: true },
    fold: (mission, event) => {
      const { type: _type, launch_id: _launch, choice = null, revision, draft, ...request } = event;
      return withSession(mission, (session) => ({
        requests: [...session.requests, request],
        choice: session.choice ?? choice,
        revisions: revision ? [...session.revisions, revision] : session.revisions,
        drafts: draft ? [...session.drafts, draft] : session.drafts,
      }));
    },
    line: (event) => {
      const what = event.choice ? `${event.tool} ${event.choice.outcome}` : event.tool;
      return event.accepted
        ? `The orchestrator asked for ${what}, accepted for now: ${event.choice?.reason ?? event.reason}`
        : `The orchestrator asked for ${what}, refused (${event.code}): ${event.reason}`;
    },
  },
  OrchestratorStopRequested: {
    shown: { stream: 'status', printed: true },
    fold: inSession((session, event) => ({
      stop: session.stop ?? { code: event.code, reason: event.reason },
    })),
    line: (event) => `The orchestrator is ended (${event.code}): ${event.reason}`,
  },
  OrchestratorEnded: {
    shown: { stream: 'status', printed: true },
    fold: inSession(
      (session, event, { at }) => ({
        launch: { ...session.launch, end: event.end },
        result: event.result,
        ended_at: at,
      }),
      { acknowledged: null },
    ),
    line: (event) => sessionResultWords(event.result),
  },
  OrchestratorUnavailable: {
    shown: { stream: 'error', printed: true },
    fold: inSession(
      (_session, event, { at }) => ({
        result: { kind: 'unavailable', code: event.code, reason: event.reason, changes: [] },
        ended_at: at,
      }),
      { acknowledged: null },
    ),
    line: (event) => `No orchestrator for ${event.task_id} (${event.code}): ${event.reason} A person decides.`,
  },
  SessionRecorded: {
    shown: { stream: 'progress', fine: true },
    fold: (mission, event) => changed(mission, { closing_sha256: event.seal.sha256 }),
    line: (event) => {
      const { call_index, model_logical_id, role, result } = event.record;
      return `Session ${call_index} of the orchestrator about ${event.task_id} is recorded (${model_logical_id}, ${role}): ${result}.`;
    },
  },
} satisfies Partial<EventTable>;

export function sessionResultWords(result: SessionResult): string {
  switch (result.kind) {
    case 'applied':
      return `The orchestrator decided: ${result.outcome}.`;
    case 'discarded':
      return `The orchestrator’s decision does not count (${result.code}): ${result.reason}`;
    case 'undecided':
      return `The orchestrator decided nothing (${result.code}): ${result.reason}`;
    case 'unavailable':
      return `There was no orchestrator (${result.code}): ${result.reason}`;
  }
}

function dispatched(
  mission: Mission,
  event: EventOf<'OrchestratorDispatched'>,
  { at }: { readonly at: string },
): Mission {
  if (liveSession(mission)) throw new Error('Broken invariant: two orchestrator sessions at once.');
  const { launch_id, session_id, nonce, run_dir, packet_id, task_id } = event;
  const unknown = { prepared: null, process: null, worker_session_id: null, end: null };
  const session: Session = {
    ...{ packet_id: packetOf(mission, packet_id).packet_id, task_id: rowOf(mission, task_id).task.task_id },
    launch: { ...{ launch_id, session_id, nonce, run_dir }, requested_at: at, ...unknown },
    ...{ token_public_key: null, manifest_sha256: null, external_saves: [], requests: [], choice: null },
    ...{ revisions: [], drafts: [], stop: null, stopped_by: null, result: null, ended_at: null },
  };
  return changed(mission, {
    sessions: appended(mission.sessions, session),
    launches: Math.max(mission.launches, runDirNumber(run_dir)),
  });
}
