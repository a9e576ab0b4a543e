import type { Actor } from '../../contracts/vocabulary/actors';
import type { ContractCode, RefusalCode } from '../../contracts/vocabulary/codes';
import type {
  ApprovalSource,
  DriverOutcome,
  LedgerStatus,
  Phase,
  TaskEvidenceStatus,
  TelemetryMode,
} from '../../contracts/vocabulary/execution';
import type { RecoveryOutcome } from '../../contracts/vocabulary/recovery';
import type { ProcessRecord } from '../../contracts/launch';
import type { FileSystemFacts } from '../locks/lockPath';
import type { ApprovedPlan } from '../plan/approvedPlan';
import type { ExternalSave } from '../observation/change';
import type { OutstandingChange, HumanDecision } from '../observation/outstanding';
import type { VerifyChange } from '../observation/verifyChange';
import type {
  AttemptFailure,
  Claim,
  CriterionReport,
  LaunchEnd,
  MovedObstacle,
  ObservedChanges,
  PreparedLaunch,
  RecoveredTask,
  TimedOut,
  VerifyResult,
} from './facts';
import type { Refusal } from '../../base/outcome';
import type { ApprovedHere } from '../plan/approvalRecord';
import type { HandoffEvent } from './handoffFacts';

/** Everything a mission stream of the journal can hold. Past tense; the state is the fold of these. */
export type MissionEvent =
  | HandoffEvent
  // execution envelope
  | {
      readonly type: 'MissionReceived';
      readonly mission_id: string;
      readonly plan: ApprovedPlan;
      readonly plan_path: string;
      readonly plan_sha256: string;
      readonly approval_source: ApprovalSource;
      /** Absent in journals of older versions, null when the file is all there is. */
      readonly approved_here?: ApprovedHere | null;
      readonly started_by: Actor;
      readonly tool_version: string;
    }
  | { readonly type: 'PlanValidated'; readonly warnings: readonly string[] }
  | { readonly type: 'PlanLocked'; readonly plan_sha256: string }
  /** Told before the evidence of an earlier execution is moved: a crash after that must not lose its name. */
  | { readonly type: 'ArchiveBegun'; readonly mission_id: string; readonly header_sha256: string | null }
  | {
      readonly type: 'HeaderWritten';
      readonly archived_mission_id: string | null;
      /** Of its header; null when it has none that could be read. Here and below: absent in journals of older versions, and where nothing was read anew. */
      readonly archived_header_sha256?: string | null;
      readonly file_system?: FileSystemFacts;
    }
  | { readonly type: 'ExecutionStarted' }
  /** An effect could not be done, and halted the owner; `effect`: its key. */
  | ({ readonly type: 'EffectFailed'; readonly effect: string } & Refusal)
  /** What stood where the mission writes was moved into its folder. */
  | ({ readonly type: 'ObstacleMoved' } & MovedObstacle)
  | { readonly type: 'SuccessCriteriaReported'; readonly criteria: readonly CriterionReport[] }
  | { readonly type: 'MissionEvidenced' }
  | { readonly type: 'MissionCompleted' }
  | { readonly type: 'MissionFailed'; readonly code: string; readonly reason: string; readonly cancelled: boolean }
  | { readonly type: 'MissionReported'; readonly header_sha256: string; readonly summary_sha256: string }
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
  // attempt
  | {
      readonly type: 'AttemptStarted';
      readonly task_id: string;
      readonly attempt: number;
      readonly telemetry_mode: TelemetryMode;
      readonly decided_by: HumanDecision | null;
      /** The attempt whose result is judged once more; absent: a worker is launched. */
      readonly validates?: number;
    }
  | {
      readonly type: 'PhaseCompleted';
      readonly task_id: string;
      readonly attempt: number;
      readonly phase: Phase;
      readonly outcome: 'next' | 'not_applicable' | DriverOutcome;
      readonly note: string;
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
    }
  | { readonly type: 'LaunchPrepared'; readonly launch_id: string; readonly prepared: PreparedLaunch }
  | {
      readonly type: 'LaunchImpossible';
      readonly launch_id: string;
      readonly code: RefusalCode;
      readonly reason: string;
    }
  | {
      readonly type: 'AssignmentRefused';
      readonly task_id: string;
      readonly launch_id: string;
      readonly code: ContractCode;
      readonly reason: string;
      readonly findings: readonly string[];
    }
  | { readonly type: 'WorkerStarted'; readonly launch_id: string; readonly process: ProcessRecord }
  | {
      readonly type: 'WorkerSessionSeen';
      readonly launch_id: string;
      readonly worker_session_id: string;
      readonly model: string | null;
    }
  | { readonly type: 'ScopeBreachSeen'; readonly launch_id: string; readonly path: string }
  | ({ readonly type: 'WorkerTimedOut'; readonly task_id: string } & TimedOut)
  | { readonly type: 'ExternalSaveRecorded'; readonly save: ExternalSave }
  | { readonly type: 'WorkerEnded'; readonly launch_id: string; readonly end: LaunchEnd; readonly claim: Claim }
  | {
      readonly type: 'ChangesObserved';
      readonly task_id: string;
      readonly observed: ObservedChanges;
      readonly plan_sha256_observed: string | null;
      readonly file_system?: FileSystemFacts;
    }
  | {
      readonly type: 'BaselineImpossible';
      readonly task_id: string;
      readonly code: RefusalCode;
      readonly reason: string;
    }
  | { readonly type: 'ObservationFailed'; readonly task_id: string; readonly reason: string }
  | { readonly type: 'VerifyEnded'; readonly launch_id: string; readonly result: VerifyResult }
  /** No further verify command of the attempt runs: the workspace is looked at once more. */
  | { readonly type: 'VerificationEnded'; readonly task_id: string; readonly attempt: number }
  | {
      readonly type: 'VerifyObserved';
      readonly task_id: string;
      /** What is different from what the worker was judged by. */
      readonly changes: readonly VerifyChange[];
      readonly observed_sha256: string;
      readonly head: string | null;
      readonly not_observed: readonly string[];
      readonly plan_sha256_observed: string | null;
      readonly file_system?: FileSystemFacts;
    }
  /** What blocked the attempt: it stays on the list of its task until it is gone or accepted. */
  | {
      readonly type: 'ChangesOutstanding';
      readonly task_id: string;
      readonly attempt: number;
      readonly changes: readonly OutstandingChange[];
    }
  /** How what is on the list was found at a later look. */
  | {
      readonly type: 'OutstandingRead';
      readonly task_id: string;
      readonly attempt: number;
      readonly found: readonly {
        readonly path: string;
        readonly kind: OutstandingChange['kind'];
        readonly sha256: string | null;
        /** It is as it was before it blocked. */
        readonly gone: boolean;
      }[];
    }
  /** `names` as `nameOf` gives them. */
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
    }
  | { readonly type: 'PacketWritten'; readonly packet_id: string; readonly path: string; readonly sha256: string }
  | {
      readonly type: 'PacketResolved';
      readonly packet_id: string;
      readonly outcome: RecoveryOutcome;
      readonly decision: HumanDecision;
    }
  | { readonly type: 'PacketSuperseded'; readonly packet_id: string; readonly reason: string }
  // human and owner
  | { readonly type: 'PauseRequested'; readonly decision: HumanDecision }
  | { readonly type: 'MissionPaused'; readonly reason: string; readonly code?: ContractCode }
  | { readonly type: 'MissionResumed'; readonly decision: HumanDecision }
  | { readonly type: 'TaskStopRequested'; readonly task_id: string; readonly decision: HumanDecision }
  | { readonly type: 'CancelRequested'; readonly decision: HumanDecision }
  | { readonly type: 'FailureAcknowledged'; readonly decision: HumanDecision }
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
      /** Absent in journals of older versions. */
      readonly ledger?: { readonly code: ContractCode | 'OK'; readonly issues: readonly string[] };
      readonly tasks?: readonly RecoveredTask[];
      readonly file_system?: FileSystemFacts;
    };

export type LaunchPurpose = { readonly kind: 'worker' } | { readonly kind: 'verify'; readonly index: number };
