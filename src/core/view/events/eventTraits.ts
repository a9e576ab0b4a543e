import type { EventMark } from '../../../contracts/page/missionView';
import type { progressEventTypes } from '../../../contracts/record/streamEvent';
import type { LedgerStatus } from '../../../contracts/vocabulary/execution';
import type { MissionEvent } from '../../model/events';

/** How events of one type are shown. */
interface EventTraits {
  /** The type in the stream of events, where it is not the contract's own. */
  readonly stream: (typeof progressEventTypes)[number];
  /** Absent: it changes nothing for a person. */
  readonly mark?: EventMark;
  /** `mission run` prints it. */
  readonly printed?: true;
  /** A step of the machinery, or another event says it as well: no person looks for it among the newest ones. */
  readonly fine?: true;
  /** Its sentence does not name its task, so a line beside other lanes does. */
  readonly ofLane?: true;
}

export const eventTraits: { readonly [T in MissionEvent['type']]: EventTraits } = {
  MissionReceived: { stream: 'status', printed: true },
  PlanValidated: { stream: 'status' },
  PlanLocked: { stream: 'status', mark: 'locked', printed: true },
  ArchiveBegun: { stream: 'status' },
  HeaderWritten: { stream: 'status', printed: true, fine: true },
  EffectFailed: { stream: 'error', mark: 'bad' },
  ObstacleMoved: { stream: 'status' },
  ExecutionStarted: { stream: 'status', mark: 'begins' },
  SuccessCriteriaReported: { stream: 'status', printed: true },
  MissionEvidenced: { stream: 'status' },
  MissionCompleted: { stream: 'status', mark: 'good' },
  MissionFailed: { stream: 'error', mark: 'bad' },
  MissionReported: { stream: 'status', printed: true },
  RowTransitioned: { stream: 'task', printed: true },
  LockTaken: { stream: 'progress', fine: true },
  LockReleased: { stream: 'progress', fine: true },
  AttemptStarted: { stream: 'task', mark: 'begins', printed: true },
  NothingLaunched: { stream: 'status' },
  MilestoneAccepted: { stream: 'milestone', mark: 'good' },
  AcceptanceAsked: { stream: 'milestone', fine: true },
  AcceptanceChecked: { stream: 'milestone' },
  PhaseCompleted: { stream: 'progress', fine: true, ofLane: true },
  InvocationRecorded: { stream: 'progress', fine: true },
  PlanHashChecked: { stream: 'progress', fine: true, ofLane: true },
  BaselineTaken: { stream: 'progress', fine: true, ofLane: true },
  ContextRefused: { stream: 'error', mark: 'bad', ofLane: true },
  BaselineImpossible: { stream: 'error', mark: 'bad', ofLane: true },
  ModelRefused: { stream: 'error' },
  LaunchRequested: { stream: 'progress', fine: true, ofLane: true },
  LaunchPrepared: { stream: 'progress', fine: true, ofLane: true },
  LaunchImpossible: { stream: 'error', mark: 'bad', printed: true, ofLane: true },
  AssignmentRefused: { stream: 'error' },
  WorkerStarted: { stream: 'progress', printed: true, fine: true, ofLane: true },
  RecoveryRequested: { stream: 'progress', mark: 'again' },
  RecoverySucceeded: { stream: 'status', mark: 'good' },
  RecoveryFailed: { stream: 'status', mark: 'bad' },
  RecoveryEscalated: { stream: 'status', mark: 'bad' },
  WorkerSessionSeen: { stream: 'progress', fine: true, ofLane: true },
  UsageSeen: { stream: 'progress', fine: true, ofLane: true },
  BudgetStopRequested: { stream: 'status', mark: 'bad', ofLane: true },
  ScopeBreachSeen: { stream: 'finding', mark: 'bad', printed: true, ofLane: true },
  WorkerTimedOut: { stream: 'error', mark: 'bad', printed: true },
  WorkerLingered: { stream: 'progress', printed: true },
  ExternalSaveRecorded: { stream: 'status', fine: true },
  WorkerEnded: { stream: 'progress', printed: true, ofLane: true },
  InterventionRequested: { stream: 'review', mark: 'waits' },
  InterventionOffered: { stream: 'review', fine: true },
  InterventionCompleted: { stream: 'review' },
  MemoryProposed: { stream: 'finding' },
  MemoryCompared: { stream: 'status', fine: true },
  MemoryDecided: { stream: 'review' },
  MemorySaved: { stream: 'status' },
  ChangesObserved: { stream: 'finding', ofLane: true },
  ObservationFailed: { stream: 'error', mark: 'bad', printed: true, ofLane: true },
  VerifyEnded: { stream: 'progress', printed: true, ofLane: true },
  VerificationEnded: { stream: 'progress', fine: true },
  VerifyObserved: { stream: 'finding', printed: true, ofLane: true },
  ChangesOutstanding: { stream: 'finding', printed: true },
  OutstandingRead: { stream: 'status', fine: true },
  ChangesAccepted: { stream: 'status', printed: true },
  AttemptEnded: { stream: 'task', fine: true },
  TaskEvidenceWritten: { stream: 'progress', fine: true },
  TreeLookedFor: { stream: 'progress', fine: true },
  PacketIssued: { stream: 'status', mark: 'bad', printed: true },
  PacketWritten: { stream: 'status', fine: true },
  PacketResolved: { stream: 'status', printed: true },
  QuestionAsked: { stream: 'review', mark: 'waits' },
  QuestionAnswered: { stream: 'review' },
  DirectoryGranted: { stream: 'status' },
  PacketSuperseded: { stream: 'status', fine: true },
  PauseRequested: { stream: 'status', mark: 'waits', printed: true },
  MissionPaused: { stream: 'status', mark: 'waits', printed: true },
  MissionResumed: { stream: 'status', mark: 'begins', printed: true },
  TaskStopRequested: { stream: 'status', printed: true },
  CancelRequested: { stream: 'status', printed: true },
  TasksSkipped: { stream: 'task' },
  MetadataRevised: { stream: 'status' },
  FailureAcknowledged: { stream: 'status' },
  MissionSuperseded: { stream: 'status', printed: true },
  TasksCarried: { stream: 'task' },
  CommandAccepted: { stream: 'status', fine: true },
  CommandRefused: { stream: 'status', mark: 'bad', printed: true },
  HandoffRequested: { stream: 'status', fine: true },
  HandoffWritten: { stream: 'status', fine: true },
  HandoffRefused: { stream: 'error', mark: 'bad' },
  MissionMoved: { stream: 'status' },
  HandoffImported: { stream: 'status' },
  OrchestratorDispatched: { stream: 'status', printed: true },
  OrchestratorPrepared: { stream: 'status' },
  OrchestratorStarted: { stream: 'status' },
  OrchestratorUsageSeen: { stream: 'status' },
  OrchestratorAsked: { stream: 'status', printed: true },
  OrchestratorStopRequested: { stream: 'status', printed: true },
  OrchestratorEnded: { stream: 'status', printed: true },
  OrchestratorUnavailable: { stream: 'error', printed: true },
  SessionRecorded: { stream: 'progress', fine: true },
  OwnerResumed: { stream: 'status', mark: 'begins', printed: true },
};

/** Returns what a person sees of an event before they read it; absent: it changes nothing for them. */
export function eventMark(event: MissionEvent): EventMark | undefined {
  if (event.type === 'RowTransitioned') return markOfTask(event.to);
  if (event.type === 'VerifyEnded') {
    const { reason, exit_code } = event.result.end;
    return reason === 'exited' && exit_code === 0 ? 'good' : 'bad';
  }
  if (event.type === 'MissionFailed' && event.cancelled) return 'ends';
  return eventTraits[event.type].mark;
}

function markOfTask(status: LedgerStatus): EventMark | undefined {
  switch (status) {
    case 'done':
      return 'good';
    case 'blocked':
    case 'failed':
      return 'bad';
    case 'canceled':
      return 'ends';
    case 'todo':
    case 'in_progress':
      return undefined;
  }
}
