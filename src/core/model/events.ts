import type { UsageFacts, Grant, ModeChange } from '../../contracts/launchEvidence';
import type { Answer, Revision, AttemptContext, ModelSelection } from '../../contracts/taskEvidence';
import type { Question } from '../../contracts/handoff';
import type { HumanDecision } from '../../contracts/record/header';
import type { ContractCode, PauseCode, RefusalCode } from '../../contracts/vocabulary/codes/codes';
import type {
  DriverOutcome,
  LedgerStatus,
  Phase,
  TaskEvidenceStatus,
  TelemetryMode,
} from '../../contracts/vocabulary/execution';
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
import type { LaunchAdjustment, Unusable } from '../recovery/permission/record';
import type {
  AttemptFailure,
  ChecksResult,
  Claim,
  LaunchEnd,
  MemoryDecision,
  ObservedChanges,
  PreparedLaunch,
  ProjectAtEnd,
  RecoveredTask,
  SavedMemory,
  StepResult,
  TimedOut,
  VerifyResult,
} from './facts';
import type { EnvelopeEvent } from './envelopeEvents';
import type { CarriedTask, SupersededBy } from './carried';
import type { HandoffEvent } from './handoffFacts';
import type { OrchestratorEvent } from './orchestratorEvents';
import type { PermissionEvent } from './permissionEvents';
import type { Accepted } from './acceptance';

/** The events of a mission's journal; the state is their fold. */
export type MissionEvent =
  | HandoffEvent
  | EnvelopeEvent
  | OrchestratorEvent
  // ledger
  | {
      readonly type: 'RowTransitioned';
      readonly task_id: string;
      readonly from: LedgerStatus;
      readonly to: LedgerStatus;
      readonly code: string | null;
      readonly reason: string;
    }
  | { readonly type: 'LockTaken'; readonly task_id: string; readonly resources: readonly string[] }
  | { readonly type: 'LockReleased'; readonly task_id: string }
  // milestones
  /** A validation that names no agent launches nothing; its files are read and its commands run. */
  | { readonly type: 'NothingLaunched'; readonly task_id: string; readonly attempt: number }
  | ({ readonly type: 'MilestoneAccepted'; readonly task_id: string; readonly milestone: string } & Accepted)
  /** The files are read before anything relies on the acceptance. */
  | { readonly type: 'AcceptanceAsked'; readonly task_id: string }
  | {
      readonly type: 'AcceptanceChecked';
      readonly task_id: string;
      /** False: the milestone has lost its acceptance, and is validated again. */
      readonly holds: boolean;
      readonly reason: string;
      /** Null: they could not be read. */
      readonly tree_sha256: string | null;
      readonly head: string | null;
    }
  // attempt
  | {
      readonly type: 'AttemptStarted';
      readonly task_id: string;
      readonly attempt: number;
      readonly telemetry_mode: TelemetryMode;
      readonly decided_by: HumanDecision | null;
      /** The attempt whose result is validated again; absent: a worker is launched. */
      readonly validates?: number;
      /** Why a milestone that was accepted is validated again; absent: it is not. */
      readonly because?: string;
    }
  | {
      readonly type: 'PhaseCompleted';
      readonly task_id: string;
      readonly attempt: number;
      readonly phase: Phase;
      readonly outcome: DriverOutcome;
      readonly note: string;
      /** Phase 1: the attempt bootstraps, so phase 2a follows phase 2. */
      readonly bootstraps?: true;
      /** Phase 2: the frozen snapshot. Absent for commands. */
      readonly context?: AttemptContext;
      /** Phase 6: the steps that were judged, in order. */
      readonly steps?: readonly StepResult[];
      /** The checks at its point. Absent: it has none. */
      readonly checks?: ChecksResult;
      /** Phase 3: the selected model; absent where no model is invoked. */
      readonly selected?: ModelSelection;
      /** Phase 8: the seal. */
      readonly seal?: AuditSeal;
      /** Phase 10: the closing of the seal. */
      readonly closing?: AuditClosing;
      /** Phase 10: digest of the closing before it, where others closed since phase 8. */
      readonly follows_sha256?: string;
    }
  /** One launch of an agent, written when its end is known. */
  | {
      readonly type: 'InvocationRecorded';
      readonly task_id: string;
      readonly attempt: number;
      readonly launch_id: string;
      readonly record: InvocationRecord;
    }
  /** Policy allows no model, or no more: phase 3 does not pass. */
  | {
      readonly type: 'ModelRefused';
      readonly task_id: string;
      readonly category: 'model_refused' | 'profile_limit';
      readonly reason: string;
      /** What a person can do. */
      readonly step: string;
    }
  | {
      readonly type: 'PlanHashChecked';
      readonly task_id: string;
      readonly observed: string | null;
      readonly matches: boolean;
      readonly explanation: string | null;
    }
  | {
      readonly type: 'BaselineTaken';
      readonly task_id: string;
      readonly manifest_sha256: string;
      readonly files: number;
      readonly head: string | null;
      /** Digest of the content that a validation begins with; absent: the attempt validates nothing. */
      readonly tree_sha256?: string;
      /** Folders of the workspace that were made for the launches; removed again if they stay empty. */
      readonly folders?: readonly string[];
      /** By how much the clock of the file system is ahead of this machine's; absent: by nothing that counts. */
      readonly clock_ahead_ms?: number;
    }
  | {
      readonly type: 'LaunchRequested';
      readonly task_id: string;
      readonly attempt: number;
      readonly launch_id: string;
      readonly session_id: string;
      readonly nonce: string;
      /** Name of the run directory below `runs/`. */
      readonly run_dir: string;
      readonly purpose: LaunchPurpose;
      /** Absent: the least-privileged line. */
      readonly adjustment?: LaunchAdjustment;
    }
  | {
      readonly type: 'LaunchPrepared';
      readonly launch_id: string;
      readonly prepared: PreparedLaunch;
      /** Absent: no mode was changed. */
      readonly modes?: readonly ModeChange[];
    }
  | {
      readonly type: 'LaunchImpossible';
      readonly launch_id: string;
      readonly code: RefusalCode;
      readonly reason: string;
      /** The worker whose permission bits could not be corrected. */
      readonly worker?: WorkerName;
      /** What its permissions keep it from. Absent: something else does. */
      readonly unusable?: Unusable;
      /** Absent: no mode was changed. */
      readonly modes?: readonly ModeChange[];
    }
  | {
      readonly type: 'AssignmentRefused';
      readonly task_id: string;
      readonly launch_id: string;
      readonly code: ContractCode;
      readonly reason: string;
      readonly findings: readonly string[];
    }
  /** `alive`: the runner saw a process of the launch. Absent: it did not look. */
  | {
      readonly type: 'WorkerStarted';
      readonly launch_id: string;
      readonly process: ProcessRecord;
      readonly alive?: boolean;
    }
  | PermissionEvent
  | {
      readonly type: 'WorkerSessionSeen';
      readonly launch_id: string;
      readonly worker_session_id: string;
      readonly model: string | null;
    }
  /** What a running launch has used so far, as its CLI reports it; see `isNews`. */
  | { readonly type: 'UsageSeen'; readonly launch_id: string; readonly usage: UsageFacts }
  /** The worker is ended because the budget is used up. `budgets`: what was used, in budgets of the plan. */
  | {
      readonly type: 'BudgetStopRequested';
      readonly task_id: string;
      readonly attempt: number;
      readonly reason: string;
      readonly budgets: number;
    }
  /**
   * `seen`: the runner saw the change. Absent: the worker's stream announced it. `stray`: nothing shows who made the
   * change, and no sandbox keeps the worker from it.
   */
  | {
      readonly type: 'ScopeBreachSeen';
      readonly launch_id: string;
      readonly path: string;
      readonly seen?: true;
      readonly stray?: true;
    }
  | ({ readonly type: 'WorkerTimedOut'; readonly task_id: string } & TimedOut)
  /** An agent that finished does not exit, so the supervisor ends it. `quiet_seconds`: it wrote nothing for so long. */
  | {
      readonly type: 'WorkerLingered';
      readonly task_id: string;
      readonly launch_id: string;
      readonly quiet_seconds: number;
    }
  | { readonly type: 'ExternalSaveRecorded'; readonly save: ExternalSave }
  | { readonly type: 'WorkerEnded'; readonly launch_id: string; readonly end: LaunchEnd; readonly claim: Claim }
  | {
      readonly type: 'ChangesObserved';
      readonly task_id: string;
      readonly observed: ObservedChanges;
      readonly plan_sha256_observed: string | null;
      /** Why the plan differs; absent: it does not. */
      readonly plan_hash_explanation?: string;
      readonly file_system?: FileSystemFacts;
      readonly project_at_end?: ProjectAtEnd;
      /** Absent: after the worker. */
      readonly after?: 'intervention';
      /** Digest of the content of a validation. */
      readonly tree_sha256?: string;
    }
  /** Verification asks for a person, who completes the result (phase 7). */
  | {
      readonly type: 'InterventionRequested';
      readonly task_id: string;
      readonly attempt: number;
      /** Name of the run directory below `runs/`. */
      readonly run_dir: string;
      readonly failure: AttemptFailure;
    }
  /** The packet to be completed is written. */
  | {
      readonly type: 'InterventionOffered';
      readonly task_id: string;
      readonly attempt: number;
      readonly path: string;
      readonly sha256: string;
    }
  /** `claim`: the packet as the person left it. */
  | {
      readonly type: 'InterventionCompleted';
      readonly task_id: string;
      readonly attempt: number;
      readonly claim: Claim;
      readonly decision: HumanDecision;
    }
  /** The verified and sealed attempt proposes to remember something (phase 9). */
  | {
      readonly type: 'MemoryProposed';
      readonly task_id: string;
      readonly attempt: number;
      readonly entries: readonly ProposedMemory[];
    }
  /** What is remembered was read: a person decides, unless all of it is known. */
  | {
      readonly type: 'MemoryCompared';
      readonly task_id: string;
      readonly attempt: number;
      readonly standings: readonly MemoryStanding[];
    }
  | ({
      readonly type: 'MemoryDecided';
      readonly task_id: string;
      readonly attempt: number;
      /** The standings when the person decided. */
      readonly standings: readonly MemoryStanding[];
    } & MemoryDecision)
  | {
      readonly type: 'MemorySaved';
      readonly task_id: string;
      readonly attempt: number;
      readonly saved: readonly SavedMemory[];
    }
  | {
      readonly type: 'BaselineImpossible';
      readonly task_id: string;
      readonly code: RefusalCode;
      readonly reason: string;
    }
  /** Phase 2 could not be completed: what the intent requires is missing, not valid, or cannot be read. */
  | {
      readonly type: 'ContextRefused';
      readonly task_id: string;
      readonly code: ContractCode;
      readonly reason: string;
      readonly details: readonly string[];
      /** ai.project.json is needed and not there. */
      readonly no_project?: true;
    }
  | { readonly type: 'ObservationFailed'; readonly task_id: string; readonly reason: string }
  | { readonly type: 'VerifyEnded'; readonly launch_id: string; readonly result: VerifyResult }
  /** No further verify command of the attempt runs; the workspace is observed next. */
  | { readonly type: 'VerificationEnded'; readonly task_id: string; readonly attempt: number }
  | {
      readonly type: 'VerifyObserved';
      readonly task_id: string;
      /** What changed since the worker was judged. */
      readonly changes: readonly VerifyChange[];
      readonly observed_sha256: string;
      readonly head: string | null;
      readonly not_observed: readonly string[];
      readonly plan_sha256_observed: string | null;
      /** Why the plan differs; absent: it does not. */
      readonly plan_hash_explanation?: string;
      readonly file_system?: FileSystemFacts;
      readonly project_at_end?: ProjectAtEnd;
      /** Digest of the content of a validation. */
      readonly tree_sha256?: string;
    }
  /** Changes that blocked the attempt: they stay on the list of the task until they are undone or accepted. */
  | {
      readonly type: 'ChangesOutstanding';
      readonly task_id: string;
      readonly attempt: number;
      readonly changes: readonly OutstandingChange[];
    }
  /** The state of listed changes at a later observation. */
  | {
      readonly type: 'OutstandingRead';
      readonly task_id: string;
      readonly attempt: number;
      readonly found: readonly {
        readonly path: string;
        readonly kind: OutstandingChange['kind'];
        readonly sha256: string | null;
        /** The change is undone. */
        readonly gone: boolean;
      }[];
    }
  /** `names`: from `nameOfChange`. */
  | {
      readonly type: 'ChangesAccepted';
      readonly task_id: string;
      readonly names: readonly string[];
      readonly decision: HumanDecision;
    }
  | {
      readonly type: 'AttemptEnded';
      readonly task_id: string;
      readonly attempt: number;
      readonly outcome: DriverOutcome;
      readonly failure: AttemptFailure | null;
    }
  | {
      readonly type: 'TaskEvidenceWritten';
      readonly task_id: string;
      readonly status: TaskEvidenceStatus;
      readonly path: string;
      readonly sha256: string;
      /** Digest of MILESTONE_<id>.json; absent: the task validates none. */
      readonly milestone_sha256?: string;
    }
  // recovery
  | {
      readonly type: 'TreeLookedFor';
      readonly task_id: string;
      readonly launch_id: string;
      readonly gone: boolean;
      readonly survivors: readonly number[];
    }
  | {
      readonly type: 'PacketIssued';
      readonly packet_id: string;
      readonly task_id: string;
      readonly attempt: number;
      readonly run_dir: string;
      /** What the block asks a person; absent: nothing. */
      readonly question?: Question;
    }
  /** A question is put on a packet, which stays open (outcome ask-user). */
  | {
      readonly type: 'QuestionAsked';
      readonly packet_id: string;
      readonly task_id: string;
      readonly question: Question;
      readonly decision: HumanDecision;
    }
  /** The packet is resolved by the same decision. */
  | ({ readonly type: 'QuestionAnswered'; readonly packet_id: string; readonly task_id: string } & Answer)
  | {
      readonly type: 'PacketWritten';
      readonly packet_id: string;
      readonly path: string;
      readonly sha256: string;
      /** How often a question had been asked when it was written. */
      readonly asked: number;
    }
  | {
      readonly type: 'PacketResolved';
      readonly packet_id: string;
      readonly outcome: RecoveryOutcome;
      readonly decision: HumanDecision;
    }
  /** A person grants one attempt what it was denied; the packet is resolved by the same decision. */
  | ({ readonly type: 'DirectoryGranted'; readonly task_id: string; readonly packet_id: string } & Grant)
  /** Metadata of a task are revised; the approved plan is not. */
  | ({ readonly type: 'MetadataRevised'; readonly task_id: string } & Revision)
  | { readonly type: 'PacketSuperseded'; readonly packet_id: string; readonly reason: string }
  // human and owner
  | { readonly type: 'PauseRequested'; readonly decision: HumanDecision }
  | {
      readonly type: 'MissionPaused';
      readonly reason: string;
      readonly code?: PauseCode;
      /** What was used, in budgets of the plan; absent where that is not the reason. */
      readonly budgets?: number;
    }
  | { readonly type: 'MissionResumed'; readonly decision: HumanDecision }
  | { readonly type: 'TaskStopRequested'; readonly task_id: string; readonly decision: HumanDecision }
  | { readonly type: 'CancelRequested'; readonly decision: HumanDecision }
  /** `task_id`: the task that the person named; `task_ids`: that task and its dependants. */
  | {
      readonly type: 'TasksSkipped';
      readonly task_id: string;
      readonly task_ids: readonly string[];
      readonly decision: HumanDecision;
    }
  | { readonly type: 'FailureAcknowledged'; readonly decision: HumanDecision }
  /** A revision of its plan was approved: what is open of the mission is canceled, and its failure has been seen. */
  | ({ readonly type: 'MissionSuperseded'; readonly decision: HumanDecision } & SupersededBy)
  /** Tasks that an earlier mission did, in a revision of its plan; they are done. */
  | { readonly type: 'TasksCarried'; readonly tasks: readonly CarriedTask[] }
  | { readonly type: 'CommandAccepted'; readonly command_id: string; readonly command: string; readonly reason: string }
  | {
      readonly type: 'CommandRefused';
      readonly command_id: string;
      readonly command: string;
      readonly code: RefusalCode;
      readonly reason: string;
      readonly next: readonly string[];
    }
  | {
      readonly type: 'OwnerResumed';
      readonly resumed_run_id: string;
      readonly found: string;
      readonly ledger: { readonly code: ContractCode | 'OK'; readonly issues: readonly string[] };
      readonly tasks: readonly RecoveredTask[];
      readonly file_system: FileSystemFacts;
    };

export type LaunchPurpose = { readonly kind: 'worker' } | { readonly kind: 'verify'; readonly index: number };
