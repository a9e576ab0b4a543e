import { evolveAttempt } from '../lifecycle/evolveAttempt';
import { startedAttempt, withResultOf } from '../lifecycle/startedAttempt';
import { withPhase } from '../lifecycle/phases';
import { appended, changed, drafting, exchanged } from '../model/draft';
import type { MissionEvent } from '../model/events';
import { evolveHandoff, withHandoffDue } from './handoff/handoffs';
import { evolveOrchestrator, withSession } from './orchestrator/evolveOrchestrator';
import { liveSession } from '../model/session';
import type { FoldedEntry } from '../model/journalEntry';
import { laneOf, laneOfLaunch } from '../model/lanes';
import { superseded } from './revision/supersede';
import { acceptancesUnread, evolveAcceptance } from './milestones/milestones';
import { evolveOutstanding } from './parts/outstanding';
import { nextRunDir, runDirNumber } from '../model/runDirs';
import { withRevision } from './revision/revisions';
import { receivedMission } from './handoff/receivedMission';
import {
  answered,
  enter,
  resolved,
  transition,
  withFileSystem,
  withLane,
  withPacket,
  withRow,
  withScopes,
} from './parts/evolveParts';
import type { Attempt } from '../model/attempt';
import { rowOf, type Mission } from '../model/state';
import { completedReason } from './evidence/successCriteria';
import { retryTreeSearch, unprovenTree } from './takeover/survivingProcesses';

/** Folds one journal entry into the mission; null before the first. Throws only on a broken invariant. */
export function evolve(mission: Mission | null, entry: FoldedEntry<MissionEvent>): Mission {
  return withPosition(entry, step(mission, entry));
}

/** Folds many entries onto `from`, as `evolve` one by one would, without its copies. */
export function fold(entries: readonly FoldedEntry<MissionEvent>[], from: Mission | null = null): Mission | null {
  return drafting(() => {
    let mission = from;
    for (const entry of entries) mission = step(mission, entry);
    const last = entries.at(-1);
    return mission && last ? withPosition(last, mission) : mission;
  });
}

/** Leaves `last_seq` and the like to `withPosition`: no step reads them. */
function step(mission: Mission | null, entry: FoldedEntry<MissionEvent>): Mission {
  return withHandoffDue(apply(mission, entry), entry.event);
}

function withPosition({ seq, hash, at }: FoldedEntry<MissionEvent>, mission: Mission): Mission {
  return changed(mission, { last_seq: seq, last_hash: hash ?? mission.last_hash, last_at: at });
}

function apply(mission: Mission | null, entry: FoldedEntry<MissionEvent>): Mission {
  const { event, at, seq } = entry;
  if (event.type === 'MissionReceived') {
    if (mission) throw new Error('Broken invariant: a mission is received once.');
    return receivedMission(entry, event);
  }
  if (!mission) throw new Error(`Broken invariant: ${event.type} before MissionReceived.`);
  switch (event.type) {
    case 'PlanValidated':
      return enter({ ...mission, warnings: event.warnings }, 'VALIDATED', at);
    case 'PlanLocked':
      if (event.plan_sha256 !== mission.plan_sha256)
        throw new Error('Broken invariant: locked another plan than was validated.');
      return enter(mission, 'LOCKED', at);
    case 'ArchiveBegun':
      return { ...mission, archived: { mission_id: event.mission_id, header_sha256: event.header_sha256 } };
    case 'HeaderWritten':
      return withScopes({ ...mission, header_written: true, file_system: event.file_system });
    case 'EffectFailed':
      return {
        ...mission,
        trouble: { effect: event.effect, code: event.code, reason: event.reason, next: event.next, at },
      };
    case 'ObstacleMoved':
      return {
        ...mission,
        moved_aside: [...mission.moved_aside, { path: event.path, moved_to: event.moved_to }],
      };
    case 'ExecutionStarted':
      return enter(mission, 'EXECUTING', at);
    case 'SuccessCriteriaReported':
      return { ...mission, criteria: event.criteria };
    case 'MissionEvidenced':
      return enter(mission, 'EVIDENCED', at);
    case 'MissionCompleted':
      return {
        ...enter(mission, 'COMPLETED', at),
        ending: { outcome: 'COMPLETED', code: null, reason: completedReason(mission), cancelled: false, at },
      };
    case 'MissionFailed':
      return {
        ...enter({ ...mission, acknowledged: mission.superseded?.decision ?? null }, 'FAILED', at),
        ending: { outcome: 'FAILED', code: event.code, reason: event.reason, cancelled: event.cancelled, at },
      };
    case 'MissionReported':
      return enter(mission, 'REPORTED', at);
    case 'RowTransitioned':
      return withRow(mission, event.task_id, (row) => transition(row, event, entry));
    case 'LockTaken':
      return withRow(mission, event.task_id, (row) => changed(row, { lock: 'held', locked_at: at }));
    case 'LockReleased':
      return withRow(mission, event.task_id, (row) => changed(row, { lock: 'released' }));
    case 'AttemptStarted': {
      if (laneOf(mission, event.task_id))
        throw new Error(`Broken invariant: an attempt of ${event.task_id} started while one is live.`);
      const earlier = rowOf(mission, event.task_id)?.attempts.find(({ attempt }) => attempt === event.validates);
      const started = startedAttempt(event, nextRunDir(mission, event.task_id), entry);
      const grants = rowOf(mission, event.task_id)?.grants ?? [];
      const answers = [...(rowOf(mission, event.task_id)?.answers ?? [])];
      const { because } = event;
      const attempt = {
        ...(earlier ? withResultOf(earlier, started) : started),
        ...(because !== undefined && { because }),
        ...{ grants, answers },
      };
      return changed(
        withRow(mission, event.task_id, (row) =>
          changed(row, { retry: null, validates: null, grants: [], outdated: null }),
        ),
        { launches: mission.launches + 1, lanes: appended(mission.lanes, attempt) },
      );
    }
    case 'AttemptEnded': {
      const attempt = laneOf(mission, event.task_id);
      if (!attempt) throw new Error('Broken invariant: an attempt ended that was not live.');
      const { stage: _stage, audit: _audit, ...record } = attempt;
      const closed = { ...record, ended_at: at, ended_seq: seq, outcome: event.outcome, failure: event.failure };
      return changed(
        withRow(mission, event.task_id, (row) =>
          changed(row, { attempts: appended(row.attempts, closed), unproven: unprovenTree(closed) }),
        ),
        { lanes: mission.lanes.filter((lane) => lane !== attempt) },
      );
    }
    case 'TaskEvidenceWritten':
      return withRow(mission, event.task_id, (row) =>
        changed(row, {
          evidence: {
            ...{ status: event.status, path: event.path, sha256: event.sha256 },
            ...(event.milestone_sha256 !== undefined && { milestone_sha256: event.milestone_sha256 }),
          },
        }),
      );
    case 'ChangesOutstanding':
    case 'OutstandingRead':
    case 'ChangesAccepted':
      return withRow(mission, event.task_id, (row) => evolveOutstanding(row, event, at));
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
            question: event.question ?? null,
            asked: 0,
            answer: null,
            writes: 0,
            written: null,
            state: { kind: 'open' },
          },
        ],
      };
    case 'PacketWritten':
      return withPacket(mission, event.packet_id, (packet) => ({
        ...packet,
        writes: packet.writes + 1,
        // A question that was put while the packet was written is not in it.
        written: event.asked === packet.asked ? { path: event.path, sha256: event.sha256 } : null,
      }));
    case 'PacketResolved':
      return resolved(mission, event);
    case 'QuestionAsked':
      return withPacket({ ...mission, acknowledged: null }, event.packet_id, (packet) => ({
        ...packet,
        question: event.question,
        answer: null,
        asked: packet.asked + 1,
        written: null,
      }));
    case 'QuestionAnswered': {
      const { type: _type, packet_id, task_id, ...answer } = event;
      const next = withPacket(mission, packet_id, (packet) => ({ ...packet, answer }));
      return withRow(next, task_id, (row) => changed(row, { answers: appended(row.answers, answer) }));
    }
    case 'DirectoryGranted': {
      const { type: _type, task_id, packet_id: _packet, ...grant } = event;
      return withRow(mission, task_id, (row) => changed(row, { grants: appended(row.grants, grant) }));
    }
    case 'MetadataRevised': {
      const { type: _type, task_id, ...revision } = event;
      return withRow(mission, task_id, (row) => withRevision(row, revision));
    }
    case 'PacketSuperseded':
      return withPacket(mission, event.packet_id, (packet) => ({
        ...packet,
        state: { kind: 'superseded', reason: event.reason },
      }));
    case 'PauseRequested':
      return { ...mission, hold: { kind: 'pause_requested', decision: event.decision } };
    case 'MissionPaused':
      return {
        ...mission,
        budgets_asked: event.budgets ?? mission.budgets_asked,
        hold: { kind: 'paused', reason: event.reason, since: at, code: event.code ?? null },
      };
    case 'MissionResumed':
      return retryTreeSearch({ ...mission, hold: { kind: 'none' }, lanes: mission.lanes.map(planReadAgain) });
    case 'CancelRequested':
      return retryTreeSearch({ ...mission, cancel: event.decision });
    case 'TasksSkipped': {
      const skipped = { decision: event.decision, chosen: event.task_id };
      const skip = (from: Mission, taskId: string): Mission =>
        withRow(from, taskId, (row) => ({ ...row, skipped, retry: null, validates: null }));
      return retryTreeSearch(event.task_ids.reduce(skip, mission));
    }
    case 'TreeLookedFor':
      return withRow(mission, event.task_id, (row) => ({
        ...row,
        retry: event.gone ? row.retry : null,
        validates: event.gone ? row.validates : null,
        unproven: event.gone || !row.unproven ? null : { ...row.unproven, looks: row.unproven.looks + 1, due: false },
      }));
    case 'FailureAcknowledged':
      return { ...mission, acknowledged: event.decision };
    case 'MissionSuperseded':
      return superseded(mission, event);
    case 'TasksCarried':
      return event.tasks.reduce(
        (from, revised) => withRow(from, revised.task_id, (row) => changed(row, { revised })),
        mission,
      );
    case 'MilestoneAccepted':
    case 'AcceptanceAsked':
    case 'AcceptanceChecked':
      return evolveAcceptance(mission, event, at);
    case 'CommandAccepted':
      return answered(acceptancesUnread(mission), event, { accepted: true, code: 'OK', next: [] });
    case 'CommandRefused':
      return answered(mission, event, { accepted: false, code: event.code, next: event.next });
    case 'OwnerResumed':
      return acceptancesUnread({ ...mission, trouble: null, file_system: event.file_system });
    case 'HandoffRequested':
    case 'HandoffWritten':
    case 'HandoffRefused':
    case 'MissionMoved':
    case 'HandoffImported':
      return evolveHandoff(mission, event);
    case 'PhaseCompleted': {
      // Phases 8 to 10 close an attempt that has already ended.
      const lane = laneOf(mission, event.task_id);
      if (lane) return withLane(mission, lane, event, entry);
      const closed = event.closing ? changed(mission, { closing_sha256: event.closing.sha256 }) : mission;
      return withRow(closed, event.task_id, (row) => {
        const place = row.attempts.findIndex(({ attempt }) => attempt === event.attempt);
        const past = row.attempts[place];
        if (!past) return row;
        const phases = withPhase(past.phases, event, at, past);
        return changed(row, { attempts: exchanged(row.attempts, place, changed(past, { phases })) });
      });
    }
    case 'InterventionRequested':
    case 'LaunchRequested':
      return changed(withLane(mission, laneOf(mission, event.task_id), event, entry), {
        launches: Math.max(mission.launches, runDirNumber(event.run_dir)),
      });
    case 'ExternalSaveRecorded': {
      const next = { ...mission, lanes: mission.lanes.map((lane) => evolveAttempt(lane, event, entry)) };
      if (!liveSession(next)) return next;
      return withSession(next, (session) => ({
        ...session,
        external_saves: [...session.external_saves, event.save],
      }));
    }
    case 'TaskStopRequested': {
      const lane = laneOf(mission, event.task_id);
      if (lane) return withLane(mission, lane, event, entry);
      return withSession(mission, (session) => ({ ...session, stopped_by: session.stopped_by ?? event.decision }));
    }
    case 'OrchestratorDispatched':
    case 'OrchestratorPrepared':
    case 'OrchestratorStarted':
    case 'OrchestratorUsageSeen':
    case 'OrchestratorAsked':
    case 'OrchestratorStopRequested':
    case 'OrchestratorEnded':
    case 'OrchestratorUnavailable':
    case 'SessionRecorded':
      return evolveOrchestrator(mission, event, at);
    case 'VerifyObserved':
    case 'ChangesObserved':
      return withFileSystem(withLane(mission, laneOf(mission, event.task_id), event, entry), event);
    case 'InvocationRecorded':
    case 'NothingLaunched':
    case 'PlanHashChecked':
    case 'VerificationEnded':
    case 'BudgetStopRequested':
    case 'BaselineTaken':
    case 'BaselineImpossible':
    case 'ContextRefused':
    case 'ModelRefused':
    case 'ObservationFailed':
    case 'AssignmentRefused':
    case 'WorkerTimedOut':
    case 'WorkerLingered':
    case 'InterventionOffered':
    case 'InterventionCompleted':
    case 'MemoryProposed':
    case 'MemoryCompared':
    case 'MemoryDecided':
    case 'MemorySaved':
    case 'RecoveryRequested':
    case 'RecoverySucceeded':
    case 'RecoveryFailed':
    case 'RecoveryEscalated':
      return withLane(mission, laneOf(mission, event.task_id), event, entry);
    case 'LaunchPrepared':
    case 'LaunchImpossible':
    case 'WorkerStarted':
    case 'WorkerSessionSeen':
    case 'UsageSeen':
    case 'ScopeBreachSeen':
    case 'WorkerEnded':
    case 'VerifyEnded':
      return withLane(mission, laneOfLaunch(mission, event.launch_id)?.lane, event, entry);
    default:
      return unknownEvent(event);
  }
}

/** Has the plan read again before the attempt goes on, because the person who resumes says that it is back. */
function planReadAgain(lane: Attempt): Attempt {
  const { stage } = lane;
  return stage.at === 'plan_waits' ? changed(lane, { stage: { ...stage, at: 'plan_hash' } }) : lane;
}

/** A journal may hold a forged event that the compiler does not know. */
function unknownEvent(event: never): never {
  throw new Error(
    `Broken invariant: the journal holds an event of unknown type ${String((event as { type?: unknown }).type)}.`,
  );
}
