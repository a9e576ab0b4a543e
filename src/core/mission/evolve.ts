import type { ExecutionState } from '../../contracts/vocabulary/execution';
import { assertLegalEdge } from '../execution/envelope';
import { assertLegalTransition } from '../ledger/transitions';
import { evolveAttempt } from '../lifecycle/evolveAttempt';
import type { MissionEvent } from './events';
import { evolveHandoff, withHandoffDue } from './handoffs';
import type { JournalEntry } from './journalEntry';
import type { CommandAnswer, Mission, Packet, TaskRow } from './state';
import { lookAgain, unprovenTree } from './unproven';

/** Folds one journal entry into the mission; null before the first. Throws only on a broken invariant. */
export function evolve(mission: Mission | null, entry: JournalEntry<MissionEvent>): Mission {
  const next = withHandoffDue(apply(mission, entry), entry.event);
  return { ...next, last_seq: entry.seq, last_hash: entry.hash, last_at: entry.at };
}

export function fold(entries: readonly JournalEntry<MissionEvent>[]): Mission | null {
  return entries.reduce<Mission | null>((mission, entry) => evolve(mission, entry), null);
}

function apply(mission: Mission | null, entry: JournalEntry<MissionEvent>): Mission {
  const { event, at } = entry;
  if (event.type === 'MissionReceived') {
    if (mission) throw new Error('Broken invariant: a mission is received once.');
    return received(entry, event);
  }
  if (!mission) throw new Error(`Broken invariant: ${event.type} before MissionReceived.`);
  switch (event.type) {
    case 'PlanValidated':
      return enter({ ...mission, warnings: event.warnings }, 'VALIDATED', at);
    case 'PlanLocked':
      if (event.plan_sha256 !== mission.plan_sha256)
        throw new Error('Broken invariant: locked another plan than was validated.');
      return enter(mission, 'LOCKED', at);
    case 'HeaderWritten':
      return { ...mission, header_written: true };
    case 'ExecutionStarted':
      return enter(mission, 'EXECUTING', at);
    case 'SuccessCriteriaReported':
      return { ...mission, criteria: event.criteria };
    case 'MissionEvidenced':
      return enter(mission, 'EVIDENCED', at);
    case 'MissionCompleted':
      return {
        ...enter(mission, 'COMPLETED', at),
        ending: {
          outcome: 'COMPLETED',
          code: null,
          reason: 'All tasks are done and the success criteria hold.',
          cancelled: false,
          at,
        },
      };
    case 'MissionFailed':
      return {
        ...enter({ ...mission, acknowledged: null }, 'FAILED', at),
        ending: { outcome: 'FAILED', code: event.code, reason: event.reason, cancelled: event.cancelled, at },
      };
    case 'MissionReported':
      return enter(mission, 'REPORTED', at);
    case 'RowTransitioned':
      return withRow(mission, event.task_id, (row) => transition(row, event, at));
    case 'LockTaken':
      return withRow(mission, event.task_id, (row) => ({ ...row, lock: 'held' }));
    case 'LockReleased':
      return withRow(mission, event.task_id, (row) => ({ ...row, lock: 'released' }));
    case 'AttemptStarted':
      return {
        ...withRow(mission, event.task_id, (row) => ({ ...row, retry: null })),
        attempt: evolveAttempt(null, event, at),
      };
    case 'AttemptEnded': {
      const { attempt } = mission;
      if (attempt?.task_id !== event.task_id) throw new Error('Broken invariant: an attempt ended that was not live.');
      const { stage: _stage, ...record } = attempt;
      const ended = { ...record, ended_at: at, outcome: event.outcome, failure: event.failure };
      return {
        ...withRow(mission, event.task_id, (row) => ({
          ...row,
          attempts: [...row.attempts, ended],
          unproven: unprovenTree(ended),
        })),
        attempt: null,
      };
    }
    case 'TaskEvidenceWritten':
      return withRow(mission, event.task_id, (row) => ({
        ...row,
        evidence: { status: event.status, path: event.path, sha256: event.sha256 },
      }));
    case 'PacketIssued':
      return {
        ...mission,
        acknowledged: null,
        packets: [
          ...mission.packets,
          {
            packet_id: event.packet_id,
            task_id: event.task_id,
            attempt: event.attempt,
            run_dir: event.run_dir,
            issued_at: at,
            written: null,
            state: { kind: 'open' },
          },
        ],
      };
    case 'PacketWritten':
      return withPacket(mission, event.packet_id, (packet) => ({
        ...packet,
        written: { path: event.path, sha256: event.sha256 },
      }));
    case 'PacketResolved':
      return resolved(mission, event);
    case 'PacketSuperseded':
      return withPacket(mission, event.packet_id, (packet) => ({
        ...packet,
        state: { kind: 'superseded', reason: event.reason },
      }));
    case 'PauseRequested':
      return { ...mission, hold: { kind: 'pause_requested', decision: event.decision } };
    case 'MissionPaused':
      return { ...mission, hold: { kind: 'paused', reason: event.reason, since: at, code: event.code ?? null } };
    case 'MissionResumed':
      return lookAgain({ ...mission, hold: { kind: 'none' } });
    case 'CancelRequested':
      return lookAgain({ ...mission, cancel: event.decision });
    case 'TreeLookedFor':
      return withRow(mission, event.task_id, (row) => ({
        ...row,
        retry: event.gone ? row.retry : null,
        unproven: event.gone || !row.unproven ? null : { ...row.unproven, looks: row.unproven.looks + 1, due: false },
      }));
    case 'FailureAcknowledged':
      return { ...mission, acknowledged: event.decision };
    case 'CommandAccepted':
      return answered(mission, event.command_id, { accepted: true, code: 'OK', reason: event.reason, next: [] });
    case 'CommandRefused':
      return answered(mission, event.command_id, {
        accepted: false,
        code: event.code,
        reason: event.reason,
        next: event.next,
      });
    case 'OwnerResumed':
      return mission;
    case 'HandoffRequested':
    case 'HandoffWritten':
    case 'HandoffRefused':
    case 'MissionMoved':
    case 'HandoffImported':
      return evolveHandoff(mission, event);
    case 'PhaseCompleted': {
      // Phases 8 to 10 close an attempt that has already ended.
      const { attempt } = mission;
      if (attempt) return { ...mission, attempt: evolveAttempt(attempt, event, at) };
      const phase = { phase: event.phase, outcome: event.outcome, note: event.note, at };
      return withRow(mission, event.task_id, (row) => ({
        ...row,
        attempts: row.attempts.map((ended) =>
          ended.attempt === event.attempt ? { ...ended, phases: [...ended.phases, phase] } : ended,
        ),
      }));
    }
    case 'LaunchRequested':
      return { ...mission, launches: mission.launches + 1, attempt: evolveAttempt(mission.attempt, event, at) };
    case 'PlanHashChecked':
    case 'BaselineTaken':
    case 'BaselineImpossible':
    case 'LaunchPrepared':
    case 'LaunchImpossible':
    case 'AssignmentRefused':
    case 'WorkerStarted':
    case 'WorkerSessionSeen':
    case 'ScopeBreachSeen':
    case 'WorkerTimedOut':
    case 'ExternalSaveRecorded':
    case 'WorkerEnded':
    case 'ChangesObserved':
    case 'ObservationFailed':
    case 'VerifyEnded':
    case 'TaskStopRequested':
      return { ...mission, attempt: evolveAttempt(mission.attempt, event, at) };
    default:
      return unknownEvent(event);
  }
}

/** The compiler knows every event; a journal may hold one of another version, or one that nobody of us wrote. */
function unknownEvent(event: never): never {
  throw new Error(
    `Broken invariant: the journal holds an event of unknown type ${String((event as { type?: unknown }).type)}.`,
  );
}

function received(
  entry: JournalEntry<MissionEvent>,
  event: Extract<MissionEvent, { type: 'MissionReceived' }>,
): Mission {
  return {
    mission_id: event.mission_id,
    run_id: entry.run_id,
    plan: event.plan,
    plan_path: event.plan_path,
    plan_sha256: event.plan_sha256,
    approval_source: event.approval_source,
    started_by: event.started_by,
    received_at: entry.at,
    tool_version: event.tool_version,
    warnings: [],
    execution: 'RECEIVED',
    execution_history: [{ state: 'RECEIVED', at: entry.at }],
    header_written: false,
    rows: event.plan.tasks.map((task) => ({
      task,
      status: 'todo',
      code: null,
      reason: '',
      version: 0,
      lock: 'none',
      unproven: null,
      carried: null,
      attempts: [],
      retry: null,
      started_at: null,
      ended_at: null,
      evidence: null,
    })),
    attempt: null,
    launches: 0,
    packets: [],
    handoffs: [],
    handoff_due: null,
    moved: null,
    resumed_from: null,
    hold: { kind: 'none' },
    cancel: null,
    criteria: null,
    ending: null,
    acknowledged: null,
    answers: {},
    last_seq: entry.seq,
    last_hash: entry.hash,
    last_at: entry.at,
  };
}

function enter(mission: Mission, state: ExecutionState, at: string): Mission {
  assertLegalEdge(mission.execution, state);
  return { ...mission, execution: state, execution_history: [...mission.execution_history, { state, at }] };
}

function transition(row: TaskRow, event: Extract<MissionEvent, { type: 'RowTransitioned' }>, at: string): TaskRow {
  if (row.status !== event.from)
    throw new Error(`Broken invariant: task ${event.task_id} is ${row.status}, not ${event.from}.`);
  assertLegalTransition(event.task_id, event.from, event.to);
  const ended = event.to === 'done' || event.to === 'failed' || event.to === 'canceled';
  return {
    ...row,
    status: event.to,
    code: event.code,
    reason: event.reason,
    version: row.version + 1,
    started_at: row.started_at ?? (event.to === 'in_progress' ? at : null),
    ended_at: ended ? at : null,
  };
}

function resolved(mission: Mission, event: Extract<MissionEvent, { type: 'PacketResolved' }>): Mission {
  const next = withPacket(mission, event.packet_id, (packet) => ({
    ...packet,
    state: { kind: 'resolved', outcome: event.outcome, decision: event.decision },
  }));
  const packet = next.packets.find((candidate) => candidate.packet_id === event.packet_id);
  if (!packet || event.outcome !== 'retry-repair') return next;
  return lookAgain(withRow(next, packet.task_id, (row) => ({ ...row, retry: event.decision })));
}

function answered(mission: Mission, commandId: string, answer: CommandAnswer): Mission {
  return { ...mission, answers: { ...mission.answers, [commandId]: answer } };
}

function withRow(mission: Mission, taskId: string, change: (row: TaskRow) => TaskRow): Mission {
  if (!mission.rows.some((row) => row.task.task_id === taskId))
    throw new Error(`Broken invariant: no row for task ${taskId}.`);
  return { ...mission, rows: mission.rows.map((row) => (row.task.task_id === taskId ? change(row) : row)) };
}

function withPacket(mission: Mission, packetId: string, change: (packet: Packet) => Packet): Mission {
  if (!mission.packets.some((packet) => packet.packet_id === packetId))
    throw new Error(`Broken invariant: no packet ${packetId}.`);
  return {
    ...mission,
    packets: mission.packets.map((packet) => (packet.packet_id === packetId ? change(packet) : packet)),
  };
}
