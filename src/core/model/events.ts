import type { Variants } from '../../base/variants';
import type { UsageFacts, Grant, ModeChange } from '../../contracts/launchEvidence';
import type { Answer, Revision, AttemptContext, ModelSelection, Undone } from '../../contracts/taskEvidence';
import type { Question } from '../../contracts/handoff';
import type { HumanDecision } from '../../contracts/record/header';
import type { ContractCode, PauseCode, RefusalCode } from '../../contracts/vocabulary/codes/codes';
import type { DriverOutcome, Phase, TaskEvidenceStatus, TelemetryMode } from '../../contracts/vocabulary/execution';
import type { AuditClosing, AuditSeal, InvocationRecord } from '../../contracts/audit';
import type { RecoveryOutcome } from '../../contracts/vocabulary/recovery';
import type { WorkerName } from '../../contracts/vocabulary/workers';
import type { ProcessRecord } from '../../contracts/launch';
import type { FileSystemFacts } from '../locks/lockPath';
import type { ExternalSave } from '../observation/change';
import type { OutstandingChange } from '../observation/outstanding';
import type { VerifyChange } from '../observation/verifyChange';
import type { ProposedMemory } from '../../contracts/memory';
import type { MemoryStanding } from '../memory/rememberedValue';
import type { LaunchAdjustment, Unusable, AllowedBy, Denied, GrantFacts } from '../recovery/permission/record';
import type {
  AttemptFailure,
  ChecksResult,
  Claim,
  LaunchEnd,
  MemoryDecision,
  Merged,
  ObservedChanges,
  OfAttempt,
  PreparedLaunch,
  ProjectAtEnd,
  RecoveredTask,
  SavedMemory,
  StepResult,
  TimedOut,
  VerifyResult,
} from './facts';
import type { EnvelopeEvents } from './envelopeEvents';
import type { CarriedTask, SupersededBy } from './carried';
import type { HandoffEvents, Transition } from './handoffFacts';
import type { Accepted } from './acceptance';
import type { PermissionFix } from '../../contracts/vocabulary/permission';
import type {
  AnsweredRequest,
  AskedRevision,
  OutcomeChoice,
  ProposedDraft,
  SessionResult,
  SessionStop,
} from './sessionFacts';

/** What a look at the workspace reads in addition to its changes. */
export interface SeenAtEnd {
  readonly plan_sha256_observed: string | null;
  /** Why the plan differs; absent: it does not. */
  readonly plan_hash_explanation?: string;
  readonly file_system?: FileSystemFacts;
  readonly project_at_end?: ProjectAtEnd;
  /** Digest of the content of a validation. */
  readonly tree_sha256?: string;
}

/** The events of a mission's journal; the state is their fold. */
export interface MissionEvents extends HandoffEvents, EnvelopeEvents, OrchestratorEvents, PermissionEvents {
  // ledger
  RowTransitioned: Transition;
  LockTaken: { task_id: string; resources: readonly string[] };
  LockReleased: { task_id: string };
  // milestones
  /** A validation that names no agent launches nothing; its files are read and its commands run. */
  NothingLaunched: OfAttempt;
  MilestoneAccepted: Accepted & { task_id: string; milestone: string };
  /** The files are read before anything relies on the acceptance. */
  AcceptanceAsked: { task_id: string };
  AcceptanceChecked: {
    task_id: string;
    /** False: the milestone has lost its acceptance, and is validated again. */
    holds: boolean;
    reason: string;
    /** Null: they could not be read. */
    tree_sha256: string | null;
    head: string | null;
  };
  // attempt
  AttemptStarted: OfAttempt & {
    telemetry_mode: TelemetryMode;
    decided_by: HumanDecision | null;
    /** The attempt whose result is validated again; absent: a worker is launched. */
    validates?: number;
    /** Why a milestone that was accepted is validated again; absent: it is not. */
    because?: string;
  };
  PhaseCompleted: OfAttempt & {
    phase: Phase;
    outcome: DriverOutcome;
    note: string;
    /** Phase 1: the attempt bootstraps, so phase 2a follows phase 2. */
    bootstraps?: true;
    /** Phase 2: the frozen snapshot. Absent for commands. */
    context?: AttemptContext;
    /** Phase 6: the steps that were judged, in order. */
    steps?: readonly StepResult[];
    /** The checks at its point. Absent: it has none. */
    checks?: ChecksResult;
    /** Phase 3: the selected model; absent where no model is invoked. */
    selected?: ModelSelection;
    /** Phase 8: the seal. */
    seal?: AuditSeal;
    /** Phase 10: the closing of the seal. */
    closing?: AuditClosing;
    /** Phase 10: digest of the closing before it, where others closed since phase 8. */
    follows_sha256?: string;
  };
  /** One launch of an agent, written when its end is known. */
  InvocationRecorded: OfAttempt & { launch_id: string; record: InvocationRecord };
  /** Policy allows no model, or no more: phase 3 does not pass. */
  ModelRefused: {
    task_id: string;
    category: 'model_refused' | 'profile_limit';
    reason: string;
    /** What a person can do. */
    step: string;
  };
  PlanHashChecked: { task_id: string; observed: string | null; matches: boolean; explanation: string | null };
  BaselineTaken: {
    task_id: string;
    manifest_sha256: string;
    files: number;
    head: string | null;
    /** Digest of the content that a validation begins with; absent: the attempt validates nothing. */
    tree_sha256?: string;
    /** Folders of the workspace that were made for the launches; removed again if they stay empty. */
    folders?: readonly string[];
    /** By how much the clock of the file system is ahead of this machine's; absent: by nothing that counts. */
    clock_ahead_ms?: number;
  };
  LaunchRequested: OfAttempt & {
    launch_id: string;
    session_id: string;
    nonce: string;
    /** Name of the run directory below `runs/`. */
    run_dir: string;
    purpose: LaunchPurpose;
    /** Absent: the least-privileged line. */
    adjustment?: LaunchAdjustment;
  };
  LaunchPrepared: {
    launch_id: string;
    prepared: PreparedLaunch;
    /** Absent: no mode was changed. */
    modes?: readonly ModeChange[];
  };
  LaunchImpossible: {
    launch_id: string;
    code: RefusalCode;
    reason: string;
    /** The worker whose permission bits could not be corrected. */
    worker?: WorkerName;
    /** What its permissions keep it from. Absent: something else does. */
    unusable?: Unusable;
    /** Absent: no mode was changed. */
    modes?: readonly ModeChange[];
  };
  AssignmentRefused: {
    task_id: string;
    launch_id: string;
    code: ContractCode;
    reason: string;
    findings: readonly string[];
  };
  /** `alive`: the runner saw a process of the launch. Absent: it did not look. */
  WorkerStarted: { launch_id: string; process: ProcessRecord; alive?: boolean };
  WorkerSessionSeen: { launch_id: string; worker_session_id: string; model: string | null };
  /** What a running launch has used so far, as its CLI reports it; see `isNews`. */
  UsageSeen: { launch_id: string; usage: UsageFacts };
  /** The worker is ended because the budget is used up. `budgets`: what was used, in budgets of the plan. */
  BudgetStopRequested: OfAttempt & { reason: string; budgets: number };
  /** `seen`: the runner saw it, and no stream announced it. `stray`: nothing shows who made it, and no sandbox held. */
  ScopeBreachSeen: { launch_id: string; path: string; seen?: true; stray?: true };
  WorkerTimedOut: TimedOut & { task_id: string };
  /** An agent that finished does not exit, so the supervisor ends it. `quiet_seconds`: it wrote nothing for so long. */
  WorkerLingered: { task_id: string; launch_id: string; quiet_seconds: number };
  ExternalSaveRecorded: { save: ExternalSave };
  WorkerEnded: { launch_id: string; end: LaunchEnd; claim: Claim };
  ChangesObserved: SeenAtEnd & {
    task_id: string;
    observed: ObservedChanges;
    /** Absent: after the worker. */
    after?: 'intervention';
  };
  /** Verification asks for a person, who completes the result (phase 7). */
  InterventionRequested: OfAttempt & {
    /** Name of the run directory below `runs/`. */
    run_dir: string;
    failure: AttemptFailure;
  };
  /** The packet to be completed is written. */
  InterventionOffered: OfAttempt & { path: string; sha256: string };
  /** `claim`: the packet as the person left it. */
  InterventionCompleted: OfAttempt & { claim: Claim; decision: HumanDecision };
  /** The verified and sealed attempt proposes to remember something (phase 9). */
  MemoryProposed: OfAttempt & { entries: readonly ProposedMemory[] };
  /** What is remembered was read: a person decides, unless all of it is known. */
  MemoryCompared: OfAttempt & { standings: readonly MemoryStanding[] };
  MemoryDecided: OfAttempt &
    MemoryDecision & {
      /** The standings when the person decided. */
      standings: readonly MemoryStanding[];
    };
  MemorySaved: OfAttempt & { saved: readonly SavedMemory[] };
  BaselineImpossible: { task_id: string; code: RefusalCode; reason: string };
  /** Phase 2 could not be completed: what the intent requires is missing, not valid, or cannot be read. */
  ContextRefused: {
    task_id: string;
    code: ContractCode;
    reason: string;
    details: readonly string[];
    /** ai.project.json is needed and not there. */
    no_project?: true;
  };
  ObservationFailed: { task_id: string; reason: string };
  VerifyEnded: { launch_id: string; result: VerifyResult };
  /** No further verify command of the attempt runs; the workspace is observed next. */
  VerificationEnded: OfAttempt;
  VerifyObserved: SeenAtEnd & {
    task_id: string;
    /** What changed since the worker was judged. */
    changes: readonly VerifyChange[];
    observed_sha256: string;
    head: string | null;
    not_observed: readonly string[];
  };
  /**
   * The task is verified: what waits of its work is put into the workspace. `merges`: its layer first takes in what
   * other tasks put there meanwhile, and nothing lands.
   */
  LandingRequested: OfAttempt & { launch_id: string; merges?: true };
  WorkLanded: OfAttempt & { launch_id: string };
  /** It still waits. `changed`: what something else changed there meanwhile; empty: `reason` says what failed. */
  WorkNotLanded: OfAttempt & {
    launch_id: string;
    changed: readonly string[];
    /** Its layer is not there, so the work is lost. Absent: it waits. */
    gone?: true;
    /** Its layer took these in, so the task is observed and verified once more. Absent: nothing was merged. */
    merged?: readonly Merged[];
    /** Those of `changed` that another task changed, and that have no clean merge. Absent: none. */
    conflicts?: readonly { readonly path: string; readonly task_id: string }[];
    reason: string;
  };
  /** Changes that blocked the attempt: they stay on the list of the task until they are undone or accepted. */
  ChangesOutstanding: OfAttempt & { changes: readonly OutstandingChange[] };
  /** The state of listed changes at a later observation. */
  OutstandingRead: OfAttempt & {
    found: readonly {
      readonly path: string;
      readonly kind: OutstandingChange['kind'];
      readonly sha256: string | null;
      /** The change is undone. */
      readonly gone: boolean;
    }[];
  };
  /** `names`: from `nameOfChange`. */
  ChangesAccepted: { task_id: string; names: readonly string[]; decision: HumanDecision };
  AttemptEnded: OfAttempt & { outcome: DriverOutcome; failure: AttemptFailure | null };
  TaskEvidenceWritten: {
    task_id: string;
    status: TaskEvidenceStatus;
    path: string;
    sha256: string;
    /** Digest of MILESTONE_<id>.json; absent: the task validates none. */
    milestone_sha256?: string;
  };
  // recovery
  TreeLookedFor: { task_id: string; launch_id: string; gone: boolean; survivors: readonly number[] };
  PacketIssued: OfAttempt & {
    packet_id: string;
    run_dir: string;
    /** What the block asks a person; absent: nothing. */
    question?: Question;
  };
  /** A question is put on a packet, which stays open (outcome ask-user). */
  QuestionAsked: { packet_id: string; task_id: string; question: Question; decision: HumanDecision };
  /** The packet is resolved by the same decision. */
  QuestionAnswered: Answer & { packet_id: string; task_id: string };
  PacketWritten: {
    packet_id: string;
    path: string;
    sha256: string;
    /** How often a question had been asked when it was written. */
    asked: number;
  };
  PacketResolved: { packet_id: string; outcome: RecoveryOutcome; decision: HumanDecision };
  /** A person grants one attempt what it was denied; the packet is resolved by the same decision. */
  DirectoryGranted: Grant & { task_id: string; packet_id: string };
  /** Metadata of a task are revised; the approved plan is not. */
  MetadataRevised: Revision & { task_id: string };
  PacketSuperseded: { packet_id: string; reason: string };
  // human and owner
  PauseRequested: { decision: HumanDecision };
  MissionPaused: {
    reason: string;
    code?: PauseCode;
    /** What was used, in budgets of the plan; absent where that is not the reason. */
    budgets?: number;
  };
  MissionResumed: { decision: HumanDecision };
  TaskStopRequested: { task_id: string; decision: HumanDecision };
  CancelRequested: { decision: HumanDecision };
  /** `task_id`: the task that the person named; `task_ids`: that task and its dependants. */
  TasksSkipped: { task_id: string; task_ids: readonly string[]; decision: HumanDecision };
  UndoRequested: Undoing & { task_id: string };
  UndoEnded: Pick<Undone, 'attempt' | 'paths' | 'left'> & { task_id: string };
  FailureAcknowledged: { decision: HumanDecision };
  /** A revision of its plan was approved: what is open of the mission is canceled, and its failure has been seen. */
  MissionSuperseded: SupersededBy & { decision: HumanDecision };
  /** Tasks that an earlier mission did, in a revision of its plan; they are done. */
  TasksCarried: { tasks: readonly CarriedTask[] };
  CommandAccepted: { command_id: string; command: string; reason: string };
  CommandRefused: { command_id: string; command: string; code: RefusalCode; reason: string; next: readonly string[] };
  OwnerResumed: {
    resumed_run_id: string;
    found: string;
    ledger: { readonly code: ContractCode | 'OK'; readonly issues: readonly string[] };
    tasks: readonly RecoveredTask[];
    file_system: FileSystemFacts;
  };
}

export type MissionEvent = Variants<'type', MissionEvents>;

export type EventOf<T extends keyof MissionEvents> = Extract<MissionEvent, { readonly type: T }>;

export type LaunchPurpose = { readonly kind: 'worker' } | { readonly kind: 'verify'; readonly index: number };

/** `leaves`: paths that stay as they are. */
export type Undoing = Omit<Undone, 'paths' | 'left'> & { readonly leaves: readonly string[] };

export interface PermissionEvents {
  /** A launch was denied something and left no result; the worker is launched once more, with this adjustment. */
  RecoveryRequested: OfAttempt &
    Denied & {
      action: PermissionFix;
      allowed_by: AllowedBy;
      adjustment: LaunchAdjustment;
    };
  /** The new process was seen alive. */
  RecoverySucceeded: { task_id: string; recovery_id: string; launch_id: string };
  /** The new process was not started, or ended before it was seen alive. */
  RecoveryFailed: { task_id: string; recovery_id: string; launch_id: string | null; reason: string };
  /** Only a person can mend it. */
  RecoveryEscalated: OfAttempt &
    Denied & { recovery_id: string; action: PermissionFix | null; why: string; grant?: GrantFacts };
}

/** Events of the runtime orchestrator's sessions. An accepted decision is the `PacketResolved` or `QuestionAsked` after an end. */
export interface OrchestratorEvents {
  OrchestratorDispatched: {
    packet_id: string;
    task_id: string;
    launch_id: string;
    session_id: string;
    nonce: string;
    /** Name of the run directory below `runs/`. */
    run_dir: string;
  };
  OrchestratorPrepared: {
    launch_id: string;
    prepared: PreparedLaunch;
    /** Checks the signature of its requests; the private half never reaches the disk. */
    token_public_key: string;
    manifest_sha256: string;
  };
  OrchestratorStarted: { launch_id: string; process: ProcessRecord };
  OrchestratorUsageSeen: { launch_id: string; usage: UsageFacts };
  /** A request that would change something and its answer. `choice`: the outcome that was accepted. */
  OrchestratorAsked: AnsweredRequest & {
    launch_id: string;
    choice?: OutcomeChoice;
    revision?: AskedRevision;
    draft?: ProposedDraft;
  };
  OrchestratorStopRequested: SessionStop & { launch_id: string };
  OrchestratorEnded: {
    launch_id: string;
    end: LaunchEnd;
    result: SessionResult;
    /** Digest of the look afterwards; null: the runner could not look. */
    observed_sha256: string | null;
  };
  /** The invocation record of a session, sealed by itself; written when its end is known. */
  SessionRecorded: {
    task_id: string;
    /** The attempt whose block the session was asked about. */
    attempt: number;
    launch_id: string;
    record: InvocationRecord;
    seal: AuditSeal;
  };
  /** No session could start, so a person decides alone. */
  OrchestratorUnavailable: { packet_id: string; task_id: string; launch_id: string; code: RefusalCode; reason: string };
}
