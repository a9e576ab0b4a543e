import type { InvocationRecord } from '../../contracts/audit';
import { roleOfIntent } from '../../contracts/vocabulary/models';
import type { MissionEvent } from '../model/events';
import type { LaunchEnd } from '../model/facts';
import type { Session } from '../model/session';
import type { SessionResult } from '../model/sessionFacts';
import { modelOfSession, sessionIntent } from '../model/sessionModel';
import type { Mission } from '../model/state';
import type { ModelSelection } from '../policy/policy';
import { selectModel } from '../policy/selectModel';
import { selectTelemetryMode } from '../telemetry/mode';
import { missingField, tokensOf } from './invocation';

export type SessionRecorded = Extract<MissionEvent, { type: 'SessionRecorded' }>;

/** How a session of the orchestrator came to its end, or why there was none. */
interface EndedSession {
  readonly end: LaunchEnd | null;
  readonly result: SessionResult;
  readonly at: string;
}

/**
 * The record of one session of the runtime orchestrator, without its seal. It is counted within its task, apart from
 * the invocations that do the task.
 *
 * @throws when a field is missing: a record that is not whole is not written, and the owner halts
 */
export function sessionRecordOf(
  mission: Mission,
  session: Session,
  { end, result, at }: EndedSession,
): Omit<SessionRecorded, 'seal'> {
  const { orchestrator, plan, run_id, sessions, packets } = mission;
  const { task_id, packet_id, launch } = session;
  const packet = packets.find((one) => one.packet_id === packet_id);
  if (!orchestrator || !packet) throw new Error(`Broken invariant: a session about ${task_id} that was not asked for.`);
  const selected = selectionOf(mission, session);
  const resolved = selected?.resolved_id ?? launch.prepared?.model ?? end?.model ?? null;
  const facts = { intent: sessionIntent, tier: selected?.tier ?? null, environment: plan.environment } as const;
  const record: InvocationRecord = {
    timestamp: at,
    project_id: plan.plan_id,
    session_id: run_id,
    task_id,
    telemetry_mode: selectTelemetryMode({ ...facts, memory: false, escalation: false, backend: true }).mode,
    lifecycle_phase: 5,
    intent: sessionIntent,
    model_logical_id: selected?.logical_id ?? orchestrator.model ?? orchestrator.worker,
    model_resolved_id: resolved,
    model_tier: selected?.tier ?? null,
    capability_profile: selected?.capability_profile ?? null,
    role: selected?.role ?? roleOfIntent[sessionIntent],
    call_index: sessions.filter((one) => one.task_id === task_id).indexOf(session) + 1,
    token_estimate: tokensOf(end),
    result: result.kind === 'applied' ? 'success' : 'halt',
    failure_reason: result.kind === 'applied' ? null : `${result.code}: ${result.reason}`,
    escalation_attempted: false,
    notes: [
      `session of the runtime orchestrator about packet ${packet_id}`,
      ...(end?.model && end.model !== resolved ? [`the CLI reported the model ${end.model}`] : []),
    ].join('; '),
  };
  const missing = missingField(record);
  if (missing !== null) throw new Error(missing);
  return { type: 'SessionRecorded', task_id, attempt: packet.attempt, launch_id: launch.launch_id, record };
}

function selectionOf({ policy, orchestrator }: Mission, { launch }: Session): ModelSelection | null {
  if (!policy || !orchestrator) return null;
  const selected = selectModel(policy, modelOfSession(orchestrator, launch.prepared?.model ?? null));
  return selected.ok ? selected.selection : null;
}
