import type { ContractCode, ReasonCategory, StructuralCode } from '../../contracts/vocabulary/codes';
import type { SubagentResult } from '../../contracts/result';
import type { ExitRecord } from '../../contracts/launch';
import type { Confinement, WorkerName } from '../../contracts/vocabulary/workers';
import type { IntegrationRefusal } from '../freshContext/integration';
import type { PathComparison } from '../paths/compare';
import type { Silence } from '../ledger/silence';
import type { FileSystemFacts } from '../locks/lockPath';
import type { Change } from '../observation/change';

/** A launch as it was prepared: what was going to run, without any secret. */
export interface PreparedLaunch {
  readonly worker: WorkerName;
  readonly cli_version: string | null;
  /** Null for `command`, and when the version is unknown. */
  readonly version_tested: boolean | null;
  readonly argv: readonly string[];
  readonly confinement: Confinement;
  readonly confinement_detail: string;
  readonly env_names: readonly string[];
  readonly model: string | null;
  readonly prompt_sha256: string;
}

/** What the worker claims, after validation against `subagent_result_v1` and the assignment. */
export type Claim =
  | { readonly kind: 'not_applicable' }
  | { readonly kind: 'missing'; readonly reason: string }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }
  | {
      readonly kind: 'valid';
      readonly result: SubagentResult;
      /** Why it may not be integrated; absent or null: it may. */
      readonly refused?: IntegrationRefusal | null;
    };

/** Why the watchdog gave a worker or a verify command up. */
export interface TimedOut {
  readonly launch_id: string;
  /** ISO-8601; the start when there was no sign of life at all. */
  readonly last_heartbeat_at: string;
  /** The limit that was exceeded. */
  readonly timeout_seconds: number;
  readonly age_seconds: number;
  /** What a probe found, in words. */
  readonly found: string;
}

/** A task in progress as an owner found it that came back. */
export interface RecoveredTask {
  readonly task_id: string;
  readonly launch_id: string;
  readonly standing: 'unstarted' | 'supervised' | 'ended' | 'lost' | 'unreadable';
  /** Of a supervised process, ISO-8601; null otherwise. */
  readonly last_heartbeat_at: string | null;
  readonly age_seconds: number | null;
  readonly timeout_seconds: number;
  readonly verdict: 'alive' | 'timed_out' | 'not_judged';
}

/** What an owner that comes back saw before anything went on. */
export interface RecoveryFacts {
  /** Tasks in progress whose launch was looked at. */
  readonly tasks: readonly RecoveredTask[];
  /** Supervised processes that were probed and found silent, by launch. */
  readonly silent: readonly (Silence & { readonly launch_id: string })[];
  readonly file_system: FileSystemFacts;
}

/** A result that came after the attempt had been given up: kept for a person, judged by nobody. */
export interface LateResult {
  readonly at: string;
  /** What had been decided before it came. */
  readonly after: string;
  readonly claim: Extract<Claim, { readonly kind: 'valid' | 'invalid' }>;
}

/** The end of one process under a supervisor, reduced to what the mission needs. */
export interface LaunchEnd {
  readonly reason: ExitRecord['reason'];
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly started_at: string;
  readonly ended_at: string;
  readonly tree_gone: boolean;
  readonly survivors: readonly number[];
  readonly error: string | null;
  /** Null when nobody counted: the supervisor died. */
  readonly stdout: OutputDigest | null;
  readonly stderr: OutputDigest | null;
  readonly stderr_tail: string;
  readonly session_id: string | null;
  readonly model: string | null;
  readonly cli_version: string | null;
  readonly usage: UsageFacts | null;
  /** False when an agent's stream has no final event: then an exit with 0 is an aborted run. */
  readonly final_seen: boolean;
  readonly final_ok: boolean;
  readonly final_reason: string | null;
  readonly denials: readonly { readonly tool: string | null; readonly path: string | null; readonly reason: string }[];
}

export interface OutputDigest {
  readonly bytes: number;
  readonly sha256: string;
}

/** Counts of tokens, US dollars; null where the CLI did not say. */
export interface UsageFacts {
  readonly input_tokens: number | null;
  readonly cached_input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cost_usd: number | null;
}

export interface VerifyResult {
  readonly argv: readonly string[];
  readonly run_dir: string;
  readonly end: LaunchEnd;
  /** Last lines of what it printed, redacted. */
  readonly output_tail: string;
}

/** Why an attempt did not PASS. */
export type AttemptFailure =
  | {
      readonly kind: 'structural';
      readonly code: StructuralCode;
      readonly reason: string;
      readonly details: readonly string[];
    }
  /** The mission failed in another lane: this one was stopped, and nobody is blamed for it. */
  | { readonly kind: 'abandoned'; readonly reason: string; readonly details: readonly string[] }
  | {
      readonly kind: 'recoverable';
      readonly category: ReasonCategory;
      /** Of a validator that refused; absent: the code of the category. */
      readonly code?: ContractCode;
      readonly reason: string;
      readonly details: readonly string[];
      /** Null, or why no further attempt may be dispatched by anybody but a human. */
      readonly human_only: 'stopped_by_human' | 'tree_not_gone' | null;
    };

export interface ObservedChanges {
  readonly changes: readonly Change[];
  readonly observed_sha256: string;
  readonly head: string | null;
  readonly not_observed: readonly string[];
  readonly comparison: PathComparison;
}

/** Something that stood where the mission writes; paths are POSIX, relative to the workspace root. */
export interface MovedObstacle {
  readonly path: string;
  readonly moved_to: string;
}

export interface CriterionReport {
  readonly criterion: string;
  readonly result: 'met' | 'unmet' | 'not_machine_checked';
  readonly detail: string;
}
