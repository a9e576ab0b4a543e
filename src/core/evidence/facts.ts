import type { ExecutionHeader } from '../../contracts/header';
import type { CacheChanges, ExitRecord, HeldLimits, LaunchLayers } from '../../contracts/launch';
import type { Actor } from '../../contracts/vocabulary/actors';
import type {
  ApprovalSource,
  DriverOutcome,
  ExecutionState,
  MissionStatus,
  TaskEvidenceStatus,
} from '../../contracts/vocabulary/execution';
import type { MilestoneMode } from '../../contracts/vocabulary/plan';
import type { RecoveryOutcome } from '../../contracts/vocabulary/recovery';
import type { ConfinementMode, SandboxMeans, SandboxState } from '../../contracts/vocabulary/confinement';
import type { JudgedReport } from '../../contracts/vocabulary/models';
import type { ModelSelection } from '../policy/policy';
import type { Confinement, WorkerName } from '../../contracts/vocabulary/workers';
import type { LaunchChange, RecoveryEvent } from '../../contracts/recoveryEvent';
import type { TaskEvidence } from '../../contracts/taskEvidence';
import type { Claim } from '../documents/claim';
import type { Change } from '../observation/change';
import type { OutstandingChange } from '../observation/outstanding';
import type { VerifyChange } from '../observation/verifyChange';

// Times are ISO-8601 UTC (milliseconds allowed), digests upper-case hex, paths POSIX.

export interface HeaderFacts {
  readonly plan_id: string;
  readonly goal_id: string;
  readonly plan_path: string;
  readonly plan_sha256: string;
  /** Absent or null: the execution began with a version that kept none. */
  readonly plan_canonical_sha256?: string | null;
  readonly started_at: string;
  readonly state: ExecutionState;
  /** Machine name; like `user`, the login name, null unless the user opted in. */
  readonly host: string | null;
  readonly user: string | null;
  readonly executor: 'mission' | 'external';
  readonly mission_id: string | null;
  readonly run_id: string | null;
  readonly ended_at: string | null;
  readonly outcome: 'COMPLETED' | 'FAILED' | null;
  readonly status: MissionStatus;
  readonly cancelled: boolean;
  readonly code: string | null;
  readonly reason: string | null;
  readonly plan_sha256_observed: string | null;
  /** The handoff that the execution continues. */
  readonly resumed_from?: NonNullable<ExecutionHeader['resumed_from']> | null;
  /** The earlier execution whose evidence this one moved to the archive. */
  readonly archived?: NonNullable<ExecutionHeader['archived']> | null;
  readonly supersedes?: string | null;
  readonly superseded_by?: NonNullable<ExecutionHeader['superseded_by']> | null;
  readonly moved_aside?: readonly { readonly path: string; readonly moved_to: string }[];
  readonly approval_source: ApprovalSource | null;
  readonly approved_by: string | null;
  readonly approved_at: string | null;
  /** The person who approved these bytes on this machine; the two fields above repeat the plan file. */
  readonly approved_here?: { readonly by: string; readonly at: string } | null;
  /** Absent or null: the execution began with a version that held nothing back. */
  readonly confinement?: ConfinementMode | null;
  /** Digest of the model policy; absent or null: there was none. */
  readonly policy_sha256?: string | null;
  readonly state_history: readonly { readonly state: ExecutionState; readonly at: string }[];
  /** Digest of PLAN.locked.json as written. */
  readonly locked_plan_sha256: string;
  /** Digest of EXECUTION_SUMMARY.md as written; null while the file does not exist. */
  readonly summary_sha256: string | null;
  /** Every task of the plan, in plan order. */
  readonly tasks: readonly HeaderTask[];
  /** Absent: the plan has none that is to be validated. */
  readonly milestones?: readonly HeaderMilestone[];
  /** Absent: only people decide about blocks. */
  readonly orchestrator?: NonNullable<ExecutionHeader['orchestrator']>;
  readonly success_criteria: readonly Criterion[];
  readonly journal: { readonly events: number; readonly last_hash: string } | null;
  readonly tool: { readonly name: string; readonly version: string };
  readonly not_observed: readonly string[];
}

/** A milestone as the header has it, and what the summary adds. */
export interface HeaderMilestone {
  readonly milestone_id: string;
  readonly task_id: string;
  readonly accepted: boolean;
  readonly evidence_sha256: string | null;
  readonly title: string;
  readonly mode: MilestoneMode;
  /** Validations that failed. */
  readonly failures: number;
  readonly failure_limit: number;
}

export interface HeaderTask {
  readonly task_id: string;
  readonly status: TaskEvidenceStatus | null;
  readonly code: string | null;
  readonly attempts: number;
  /** Digest of TASK_<task_id>.json as written; null while the file does not exist. */
  readonly evidence_sha256: string | null;
}

export interface Criterion {
  readonly criterion: string;
  readonly result: 'met' | 'accepted' | 'unmet' | 'not_machine_checked';
  /** Who accepted what speaks against it; with `accepted` alone. */
  readonly accepted_by?: readonly string[] | undefined;
  readonly detail: string;
}

export interface TaskFacts {
  readonly plan_id: string;
  readonly task_id: string;
  readonly description: string;
  readonly started_at: string | null;
  readonly start_notes: string | null;
  readonly ended_at: string | null;
  readonly end_notes: string | null;
  /** Null while the task runs. */
  readonly status: TaskEvidenceStatus | null;
  /** HEAD when the task ended. */
  readonly commit_sha: string | null;
  readonly executor: 'mission' | 'external';
  readonly mission_id: string | null;
  readonly run_id: string | null;
  readonly code: string | null;
  readonly reason: string | null;
  readonly plan_sha256: string;
  readonly plan_sha256_observed: string | null;
  readonly worker: WorkerName | null;
  readonly paths: readonly string[];
  readonly forbidden_paths: readonly string[];
  readonly attempts: readonly AttemptFacts[];
  /** The person who skipped it; absent or null when it was not skipped. */
  readonly skipped_by?: NonNullable<TaskEvidence['skipped_by']> | null;
  /** Absent or empty: nothing of its metadata was revised. */
  readonly metadata_revised?: NonNullable<TaskEvidence['metadata_revised']>;
  /** The mission that did it before, and what it left; absent or null: none did. */
  readonly carried_from?: NonNullable<TaskEvidence['carried_from']> | null;
  /** Changes that blocked an attempt, and whether they still do. */
  readonly outstanding?: readonly OutstandingFacts[];
  /** Absolute paths of this machine, such as the workspace root, and the names that evidence has instead. */
  readonly places: readonly Place[];
}

export interface OutstandingFacts extends OutstandingChange {
  /** The name that a person accepts it by. */
  readonly name: string;
  readonly state: 'open' | 'gone' | 'accepted';
  /** The attempt that found it gone. */
  readonly gone_in_attempt: number | null;
  readonly accepted_by: {
    readonly kind: Actor['kind'];
    readonly name: string;
    readonly reason: string;
    readonly at: string;
  } | null;
}

export interface Place {
  readonly path: string;
  readonly name: string;
}

export interface AttemptFacts {
  readonly attempt: number;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly outcome: DriverOutcome | null;
  readonly code: string | null;
  readonly reason: string | null;
  /** Null for the first attempt. */
  readonly decided_by: {
    readonly actor: Actor;
    readonly outcome: RecoveryOutcome | null;
    readonly reason: string;
    readonly at: string;
  } | null;
  /** Why it began without a decision after one that passed; absent: it did not. */
  readonly because?: string;
  /** What an attempt found that validated a milestone; absent: it validated none. */
  readonly validation?: NonNullable<NonNullable<TaskEvidence['attempts']>[number]['validation']>;
  /** What people had answered before it began; absent: nothing was asked. */
  readonly answers?: NonNullable<NonNullable<TaskEvidence['attempts']>[number]['answers']>;
  /** The frozen snapshot it worked with; absent: none, or an older version handed it over. */
  readonly context?: {
    readonly snapshot_sha256: string;
    readonly kept: string;
    readonly project_sha256: string | null;
    readonly instructions?: readonly { readonly path: string; readonly sha256: string }[];
  };
  /** Absent: nothing was selected. */
  readonly model_selection?: ModelSelection & {
    readonly reported: { readonly model: string | null; readonly judged: JudgedReport } | null;
  };
  readonly launches: readonly LaunchFacts[];
  readonly changes: readonly Change[];
  readonly observed_sha256: string | null;
  readonly not_observed: readonly string[];
  /** By how much the clock of the file system was ahead of this machine's; absent: by nothing that counts. */
  readonly clock_ahead_ms?: number;
  readonly claim: Claim;
  /** What its worker's stream said that it wrote, relative to the workspace; absent: nothing, or it ran elsewhere. */
  readonly announced?: readonly string[];
  /** Set when the watchdog ended the attempt; `late_result` when a result came afterwards. */
  readonly timed_out?: {
    readonly last_heartbeat_at: string;
    readonly timeout_seconds: number;
    readonly age_seconds: number;
    readonly found: string;
  } | null;
  readonly late_result?: { readonly at: string; readonly after: string; readonly claim: Claim } | null;
  readonly verify: readonly VerifyFacts[];
  /** What the verify commands changed since the worker was judged; absent when it was not compared. */
  readonly verify_changes?: {
    readonly observed_sha256: string;
    readonly changes: readonly Pick<
      VerifyChange,
      'path' | 'kind' | 'left_sha256' | 'after_sha256' | 'attribution' | 'in_scope' | 'blocks' | 'by_others'
    >[];
  };
  readonly acceptance: readonly AcceptanceFacts[];
  readonly denials: readonly DenialFacts[];
  /** Absent: no result was incomplete. */
  readonly intervention?: NonNullable<NonNullable<TaskEvidence['attempts']>[number]['intervention']>;
  /** Absent: nothing was proposed to be remembered. */
  readonly memory?: NonNullable<NonNullable<TaskEvidence['attempts']>[number]['memory']>;
  /** Absent: no step was judged, or an older version did. This and the next as in the evidence. */
  readonly verification?: NonNullable<NonNullable<TaskEvidence['attempts']>[number]['verification']>;
  readonly checks?: NonNullable<NonNullable<TaskEvidence['attempts']>[number]['checks']>;
  /** Absent in what older versions handed over. */
  readonly recoveries?: readonly RecoveryEvent[];
  /** How the audit log closed it; absent: by an older version, or not at all. */
  readonly seal?: { readonly records: number; readonly sha256: string; readonly closing_sha256: string };
}

/** What held a process back: the command line in front of its own, and what observation judges instead. */
export interface SandboxFacts {
  readonly means: SandboxMeans;
  readonly argv: readonly string[];
  readonly coarser: readonly string[];
  readonly held?: readonly string[];
  readonly layers?: LaunchLayers;
  readonly reach?: { readonly writable: readonly string[]; readonly read_only: readonly string[] };
  readonly network: boolean;
  readonly hosts?: readonly string[];
}

export interface LaunchFacts {
  readonly launch_id: string;
  readonly worker: WorkerName;
  readonly cli_version: string | null;
  readonly tested_range_ok: boolean | null;
  readonly argv: readonly string[];
  readonly confinement: Confinement;
  readonly confinement_detail: string;
  readonly sandbox?: SandboxFacts | null;
  readonly sandbox_state?: SandboxState | undefined;
  readonly limits?: HeldLimits | undefined;
  readonly carried_over?: readonly {
    readonly permission: string;
    readonly task_id: string;
    readonly recovery_id: string;
  }[];
  readonly granted?: readonly {
    readonly permission: string;
    readonly directory: string;
    readonly by: string;
    readonly at: string;
  }[];
  /** Why its line is not the least-privileged one, and the difference; absent: it is. */
  readonly change?: LaunchChange;
  /** Modes of directories that were changed before it; absent: none. */
  readonly modes?: readonly { readonly path: string; readonly before: string; readonly after: string }[];
  /** The hosts that an agent talks to; absent: no agent. */
  readonly speaks_to?: { readonly hosts: readonly string[]; readonly from: string };
  readonly env_names: readonly string[];
  readonly session_id: string | null;
  readonly model: string | null;
  readonly usage: UsageFacts | null;
  readonly caches?: CacheChanges;
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly reason: ExitRecord['reason'] | null;
  /** The supervisor ended it, because it had finished and stayed; absent: it exited by itself. */
  readonly did_not_exit?: true;
  readonly run_dir: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly stdout: OutputFacts | null;
  readonly stderr: OutputFacts | null;
  readonly error?: string | null;
  /** Whether no process was left at its end; null while it runs. */
  readonly tree_gone?: boolean | null;
}

/** Counts of tokens, US dollars; null where the CLI did not say. */
export interface UsageFacts {
  readonly input_tokens: number | null;
  readonly cached_input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cost_usd: number | null;
}

export interface OutputFacts {
  readonly bytes: number;
  readonly sha256: string;
}

export interface VerifyFacts {
  readonly argv: readonly string[];
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly passed: boolean;
  readonly output_sha256: string | null;
  readonly tail: string;
  /** Absent in rows that came with a handoff of an older version. */
  readonly confinement?: Confinement;
  readonly confinement_detail?: string;
  readonly sandbox?: SandboxFacts | null;
  readonly limits?: HeldLimits | undefined;
  readonly caches?: CacheChanges;
}

export interface AcceptanceFacts {
  readonly criterion: string;
  readonly result: 'pass' | 'fail' | 'not_checked';
  readonly evidence: string;
}

export interface DenialFacts {
  readonly tool: string | null;
  readonly path: string | null;
  readonly reason: string;
}
