import type { AgentNetwork, ConfinementMode } from '../../contracts/vocabulary/confinement';
import type { Services } from '../paths/services';
import type { MilestoneMode, ResourceLimit } from '../../contracts/vocabulary/plan';
import type { WorkerName } from '../../contracts/vocabulary/workers';
import type {
  BudgetReaction,
  ExecutionEnvironment,
  Intent,
  IntentSource,
  Priority,
  RecoveryPermission,
  Tier,
} from '../../contracts/vocabulary/intents';

/**
 * What a mission runs: a validated plan with all defaults filled in. Paths are normalised: POSIX, relative to the
 * workspace root, without trailing slash.
 */
export interface ApprovedPlan {
  readonly plan_id: string;
  readonly goal_id: string;
  readonly risk_level: number;
  readonly scope_allowed: readonly string[];
  readonly scope_forbidden: readonly string[];
  /** With the units that validate milestones. */
  readonly tasks: readonly PlannedTask[];
  /** In the order in which they run; absent: the plan has none. */
  readonly milestones?: readonly { readonly id: string; readonly title: string }[];
  readonly mode: 'sequential' | 'parallel';
  readonly max_parallel: number;
  readonly on_block: 'recover' | 'fail';
  /** The declared environment; null counts as undeclared (telemetry ENFORCED). */
  readonly environment: ExecutionEnvironment | null;
  /** Names of environment variables that `command` and `verify` may see. */
  readonly env_names: readonly string[];
  readonly constraints: readonly string[];
  /** The plan lets a delegated agent be a worker; absent: it does not. */
  readonly delegates_claude?: true;
  readonly recovery_allow: readonly RecoveryPermission[];
  readonly recovery_directories: readonly string[];
  /** A task goes on by itself once its provider's used-up limit has ended; absent: it waits for a person. */
  readonly after_limit?: 'resume';
  /** The declared mode. */
  readonly confinement: ConfinementMode | null;
  /** Whether `command` and `verify` have a network where they are confined. */
  readonly network: boolean;
  /** What `command` and `verify` reach of the machine without a network. Absent: nothing. */
  readonly services?: Services;
  /** The declared network of agents. */
  readonly agent_network: AgentNetwork | null;
  /** Files whose instructions every agent is given; absent: none. */
  readonly project_instructions?: readonly string[];
  /** Git-ignored places that `command` and `verify` may write; what is there is never work. */
  readonly scratch: readonly string[];
  /** Approved and scratch paths that the plan writes as folders, with a slash at the end. */
  readonly folders: readonly string[];
  readonly limits: Readonly<Record<ResourceLimit, number>>;
  readonly success_criteria: readonly string[];
  readonly budget: {
    readonly tokens: number | null;
    readonly usd: number | null;
    readonly on_exceed: BudgetReaction;
  };
  readonly supersedes: string | null;
  readonly approved_by: string | null;
  readonly approved_at: string | null;
}

export interface PlannedTask {
  readonly task_id: string;
  readonly description: string;
  readonly worker: WorkerName;
  /** The plan names none, and this is the one of the settings; absent: it does. */
  readonly worker_from?: 'default';
  /** argv of the worker `command`; empty for agents. */
  readonly command: readonly string[];
  readonly model: string | null;
  readonly tier: Tier | null;
  /** Null for `command` tasks. */
  readonly intent: Intent | null;
  readonly intent_from: IntentSource;
  readonly prompt: string | null;
  readonly requires: readonly string[];
  readonly depends_on: readonly string[];
  /** Approved paths: the lock scope, and the only place where the worker may write. */
  readonly paths: readonly string[];
  readonly forbidden_paths: readonly string[];
  readonly acceptance_criteria: readonly string[];
  /** Argument vectors that the runner starts after the worker's end, without a shell. */
  readonly verify: readonly (readonly string[])[];
  readonly timeout_seconds: number;
  readonly heartbeat_interval_seconds: number;
  readonly max_runtime_seconds: number;
  readonly priority: Priority;
  /** False only for declared read-only intents. */
  readonly writes: boolean;
  /** What did the task of a revision before. Absent: it is to be done. */
  readonly carried_from?: CarriedFrom;
  /** Absent: it belongs to none. */
  readonly milestone?: string;
  /** Tasks that have to have ended, also by a person who skipped them. Absent: none. */
  readonly after?: readonly string[];
  /** Set for the unit that validates its milestone; absent: a task of the plan. */
  readonly validator?: MilestoneValidator;
  /** The unit that validates the milestone before a task that is carried over. Absent: none, or the task is to be done. */
  readonly behind?: readonly string[];
}

/** The evidence of a task that an earlier mission did. */
export interface CarriedFrom {
  readonly plan_id: string;
  readonly mission_id: string;
  /** Digest of its TASK_<task_id>.json. */
  readonly evidence_sha256: string;
}

export interface MilestoneValidator {
  /** The title of the milestone. */
  readonly title: string;
  readonly mode: MilestoneMode;
  readonly assertions: readonly Assertion[];
  /** After this many failed validations the milestone cannot be validated again. */
  readonly failure_limit: number;
}

export interface Assertion {
  /** `A1` for the first. */
  readonly id: string;
  readonly text: string;
}
