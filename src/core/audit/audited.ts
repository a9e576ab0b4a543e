import type { ModelSelection } from '../../contracts/taskEvidence';
import type { Attempt, Launch } from '../model/attempt';
import type { EventOf, MissionEvent } from '../model/events';
import { laneOf, laneOfLaunch } from '../model/lanes';
import { sessionOf, type Session } from '../model/session';
import { type Mission, packetOf, type Progress, type Tasks, type ReceivedPlan } from '../model/state';
import {
  callsOf,
  invocationOf,
  isInvocation,
  isJudgeable,
  judgedBy,
  type InvocationEnd,
  wholeRecord,
  tokensOf,
} from './invocation';
import { closingOf, isAttemptAuditEvent, noClosing, recordText, sealOf } from './seal';
import { roleOfIntent } from '../../contracts/vocabulary/intents';
import type { LaunchEnd } from '../model/facts';
import type { SessionResult } from '../model/sessionFacts';
import { modelOfSession, sessionIntent } from '../model/sessionModel';
import { selectModel } from '../policy/selectModel';
import { selectTelemetryMode } from '../telemetry/mode';

type PhaseCompleted = EventOf<'PhaseCompleted'>;

/** How the journal stores an event: without secrets. A seal is made of what is stored. */
export type Stored = (event: MissionEvent) => MissionEvent;

/** What was decided before in the same step of a mission, and is not journalled yet. */
export interface StepSoFar {
  readonly at: string;
  /** The state before the step, as it is folded from the journal. */
  readonly before: Mission | null;
  readonly decided: readonly MissionEvent[];
}

/**
 * The decided events with what the audit log adds: a record for each launch of an agent, the seal
 * in phase 8, the closing in phase 10. The record follows as soon as the end of the launch is
 * known. Where its result is judged, the record waits for the verdict. The record of an
 * orchestrator's session has its seal with it.
 *
 * @param mission the state in which they were decided
 */
export function audited(
  mission: Mission | null,
  events: readonly MissionEvent[],
  step: StepSoFar,
  stored: Stored,
): readonly MissionEvent[] {
  if (!mission) return events;
  const decided = [...step.decided];
  for (const event of withRecords(mission, events, step.at, stored))
    decided.push(event.type === 'PhaseCompleted' ? withSeal(mission, event, { ...step, decided }, stored) : event);
  return decided.slice(step.decided.length);
}

function withRecords(
  mission: Mission,
  events: readonly MissionEvent[],
  at: string,
  stored: Stored,
): readonly MissionEvent[] {
  // Phase 8 seals what is recorded, whether the attempt ends with it or waits in phase 9.
  const ending = events.find(
    (event) =>
      event.type === 'AttemptEnded' ||
      event.type === 'InterventionRequested' ||
      (event.type === 'PhaseCompleted' && event.phase === 8),
  );
  const lane = ending && 'task_id' in ending ? laneOf(mission, ending.task_id) : undefined;
  const verdict = ending && 'failure' in ending ? judgedBy(ending.failure) : {};
  const unrecorded = lane?.launches.filter((launch) => isOpen(mission, lane, launch)) ?? [];
  const late = unrecorded.flatMap((launch, index) => {
    if (!lane) return [];
    const invocationEnd = { ...neverBegun, end: launch.end, claim: lane.claim, ...verdict };
    return [
      invocationOf(mission, lane, launch, { ...invocationEnd, at, call_index: callsOf(mission, lane) + index + 1 }),
    ];
  });
  return [
    ...late,
    ...events.flatMap((event) => {
      const session = sessionRecord(mission, event, at, stored);
      if (session) return [event, session];
      const found = endOf(mission, event, events);
      if (!found) return [event];
      const { lane: own, launch, invocationEnd } = found;
      return [
        event,
        invocationOf(mission, own, launch, { ...invocationEnd, at, call_index: callsOf(mission, own) + 1 }),
      ];
    }),
  ];
}

function isOpen(mission: Tasks, lane: Attempt, launch: Launch): boolean {
  return launch.call_index === undefined && isInvocation(mission, lane, launch);
}

const neverBegun: InvocationEnd = { end: null, claim: { kind: 'not_applicable' }, retried: null, unstarted: null };

function endOf(
  mission: Tasks,
  event: MissionEvent,
  beside: readonly MissionEvent[],
): { readonly lane: Attempt; readonly launch: Launch; readonly invocationEnd: InvocationEnd } | null {
  if (event.type !== 'WorkerEnded' && event.type !== 'LaunchImpossible' && event.type !== 'AssignmentRefused')
    return null;
  const found = laneOfLaunch(mission, event.launch_id);
  if (!found || !isOpen(mission, found.lane, found.launch)) return null;
  if (event.type !== 'WorkerEnded')
    return { ...found, invocationEnd: { ...neverBegun, unstarted: `${event.code}: ${event.reason}` } };
  const retry = beside.find(
    (other) => other.type === 'RecoveryRequested' && other.denied_launch_id === event.launch_id,
  );
  const retried = retry?.type === 'RecoveryRequested' ? `${retry.issue}: ${retry.issue_detected}` : null;
  const invocationEnd = { end: event.end, claim: event.claim, retried, unstarted: null };
  // The verdict says how an invocation with a judgeable result ended.
  return isJudgeable(found.lane, invocationEnd) ? null : { ...found, invocationEnd };
}

/** The record of the live session, with its seal; null: the event does not end it. */
function sessionRecord(mission: Mission, event: MissionEvent, at: string, stored: Stored): SessionRecorded | null {
  if (event.type !== 'OrchestratorEnded' && event.type !== 'OrchestratorUnavailable') return null;
  const session = sessionOf(mission, event.launch_id);
  if (!session) return null;
  const sessionEnd =
    event.type === 'OrchestratorEnded'
      ? { end: event.end, result: event.result }
      : { end: null, result: { ...event, kind: 'unavailable', changes: [] } as const };
  const record = sessionRecordOf(mission, session, { ...sessionEnd, at });
  const { mission_id, run_id, plan_sha256, closing_sha256 } = mission;
  const unit = { mission_id, run_id, plan_sha256, task_id: record.task_id, attempt: record.attempt };
  const seal = (text: string): SessionRecorded => ({
    ...record,
    seal: sealOf(unit, closing_sha256 ?? noClosing, [text]),
  });
  // The digest covers the record as it is stored, without its seal.
  return seal(recordText({ at, event: stored(seal('')) }));
}

function withSeal(
  mission: Mission,
  event: PhaseCompleted,
  { at, before, decided }: StepSoFar,
  stored: Stored,
): PhaseCompleted {
  const { phase, task_id, attempt } = event;
  if (phase !== 8 && phase !== 10) return event;
  const own = decided
    .filter(isAttemptAuditEvent)
    .filter((other) => other.task_id === task_id && other.attempt === attempt);
  const text = (other: MissionEvent): string => recordText({ at, event: stored(other) });
  if (phase === 8) {
    const lane = before && laneOf(before, task_id);
    const { mission_id, run_id, plan_sha256, closing_sha256 } = mission;
    const records = [...(lane?.attempt === attempt ? lane.audit.map(recordText) : []), ...own.map(text)];
    const unit = { mission_id, run_id, plan_sha256, task_id, attempt };
    return { ...event, seal: sealOf(unit, closing_sha256 ?? noClosing, records) };
  }
  const first = own.findIndex((other) => other.type === 'PhaseCompleted' && other.phase === 8);
  if (first !== -1) {
    const { seal } = (own[first] as PhaseCompleted | undefined) ?? {};
    return seal ? { ...event, closing: closingOf(seal.sha256, [...own.slice(first), event].map(text)) } : event;
  }
  return closedLater(mission, event, before && laneOf(before, task_id), own.map(text), text);
}

/** The closing of an attempt that an earlier step sealed. Other attempts may have closed since then. */
function closedLater(
  { closing_sha256 }: Mission,
  event: PhaseCompleted,
  lane: Attempt | null | undefined,
  own: readonly string[],
  text: (event: MissionEvent) => string,
): PhaseCompleted {
  const seal = lane?.phases.find(({ phase }) => phase === 8)?.seal;
  if (!lane || !seal) return event;
  const last = closing_sha256 ?? noClosing;
  const following = last === seal.previous_sha256 ? event : { ...event, follows_sha256: last };
  const closes = [...lane.audit.slice(seal.records_sha256.length).map(recordText), ...own, text(following)];
  return { ...following, closing: closingOf(seal.sha256, closes) };
}

type SessionRecorded = EventOf<'SessionRecorded'>;

/**
 * The record of one session of the runtime orchestrator, without its seal. It is counted within its task, apart from
 * the invocations that do the task.
 *
 * @throws when a field is missing: a record that is not whole is not written, and the owner halts
 */
function sessionRecordOf(
  mission: Progress,
  session: Session,
  { end, result, at }: { readonly end: LaunchEnd | null; readonly result: SessionResult; readonly at: string },
): Omit<SessionRecorded, 'seal'> {
  const { orchestrator, plan, run_id, sessions } = mission;
  const { task_id, packet_id, launch } = session;
  const packet = packetOf(mission, packet_id);
  if (!orchestrator) throw new Error(`Broken invariant: a session about ${task_id} that was not asked for.`);
  const selected = selectionOf(mission, session);
  const resolved = selected?.resolved_id ?? launch.prepared?.model ?? end?.model ?? null;
  const facts = { intent: sessionIntent, tier: selected?.tier ?? null, environment: plan.environment } as const;
  const record = wholeRecord({
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
  });
  return { type: 'SessionRecorded', task_id, attempt: packet.attempt, launch_id: launch.launch_id, record };
}

function selectionOf({ policy, orchestrator }: ReceivedPlan, { launch }: Session): ModelSelection | null {
  if (!orchestrator) return null;
  const selected = selectModel(policy, modelOfSession(orchestrator, launch.prepared?.model ?? null));
  return selected.ok ? selected.selection : null;
}
