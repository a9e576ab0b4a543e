import type { Variants } from '../../base/variants';
import type { LaunchEvidence, SandboxEvidence } from '../../contracts/launchEvidence';
import type { AttemptEvidence } from '../../contracts/taskEvidence';
import type { ContractCode, ReasonCategory, RefusalCode, StructuralCode } from '../../contracts/vocabulary/codes/codes';
import type { ExitRecord, HeldState, LaunchLayers } from '../../contracts/launch';
import type { ReadDocument, HumanDecision } from '../../contracts/record/header';
import type { CheckPoint, DriverOutcome, VerificationStep } from '../../contracts/vocabulary/execution';
import type { Claim } from '../documents/claim';
import type { PathComparison } from '../paths/compare';
import type { Silence } from '../ledger/heartbeat';
import type { FileSystemFacts } from '../locks/lockPath';
import type { Change } from '../observation/change';
import type { MakerSign } from '../observation/likelyMakers';
import type { LimitEnd } from '../recovery/permission/classify';
import type { Unusable } from '../recovery/permission/record';

export interface OfAttempt {
  readonly task_id: string;
  readonly attempt: number;
}

/** A prepared launch, without any secret. */
export interface PreparedLaunch extends Pick<
  LaunchEvidence,
  'worker' | 'cli_version' | 'argv' | 'confinement' | 'confinement_detail' | 'sandbox_state' | 'env_names' | 'model'
> {
  /** Null for `command`, and when the version is unknown. */
  readonly version_tested: boolean | null;
  /** The least-privileged line, where the first launch of an attempt is given more; absent: it is not. */
  readonly least_argv?: readonly string[];
  /** What holds it back; absent: nothing of ours does. */
  readonly sandbox?: PreparedSandbox;
  /** Absent: it is no agent. */
  readonly speaks_to?: SpeaksTo;
  readonly prompt_sha256: string;
}

/** The hosts that an agent talks to. */
export type SpeaksTo = NonNullable<LaunchEvidence['speaks_to']> & {
  /** Variables of other providers, set here and not passed; absent: none. */
  readonly not_passed?: readonly string[];
};

/** `argv`: up to where the command line of the worker begins. */
export interface PreparedSandbox extends Omit<SandboxEvidence, 'layers'> {
  /** The places of the machine that it does not show, absolute. Absent: none are known. */
  readonly hidden?: readonly string[];
  /** Absent: it has none. */
  readonly layers?: LaunchLayers;
  /** The ports on loopback of the machine that it still reaches. Absent: none. */
  readonly ports?: readonly number[];
  /** Folders of the workspace that were made for it; removed again if they stay empty. */
  readonly folders: readonly string[];
}

export type { Claim };

/** The files whose instructions agents are given, as they were when the mission began. */
export interface FrozenInstructions {
  /** Where their texts are kept, POSIX, relative to the workspace root; and the SHA-256 of that file. */
  readonly kept: string;
  readonly sha256: string;
  readonly files: readonly { readonly path: string; readonly sha256: string; readonly bytes: number }[];
}

/** ai.project.json after the worker, or after its verify commands. */
export interface ProjectAtEnd {
  /** Null: it is not there, or cannot be read. */
  readonly sha256: string | null;
  /** What is wrong with it, where the task had to make it. */
  readonly problems: readonly string[];
}

/** Why the watchdog ended a worker or a verify command. */
export type TimedOut = NonNullable<AttemptEvidence['timeout']> & { readonly launch_id: string };

/** A task in progress as a new owner found it. */
export interface RecoveredTask {
  readonly task_id: string;
  readonly launch_id: string;
  readonly standing: 'unstarted' | 'supervised' | 'ended' | 'lost' | 'unreadable';
  /** ISO-8601; null unless `supervised`. */
  readonly last_heartbeat_at: string | null;
  readonly age_seconds: number | null;
  readonly timeout_seconds: number;
  readonly verdict: 'alive' | 'timed_out' | 'not_judged';
}

export interface RecoveryFacts {
  /** Tasks in progress that have a launch. */
  readonly tasks: readonly RecoveredTask[];
  /** Supervised processes that were probed and found silent, by launch. */
  readonly silent: readonly (Silence & { readonly launch_id: string })[];
  readonly file_system: FileSystemFacts;
}

/** A result that came after the attempt was ended: quarantined, kept for a person, not judged. */
export interface LateResult {
  readonly at: string;
  /** Why the attempt had been ended, such as TASK_TIMEOUT. */
  readonly after: string;
  readonly claim: Extract<Claim, { readonly kind: 'valid' | 'invalid' }>;
}

/** The end of one process under a supervisor, reduced to what the mission needs. */
export interface LaunchEnd
  extends
    Omit<
      ReadDocument<ExitRecord>,
      'schema_version' | 'launch_id' | 'nonce' | 'leftovers' | 'summary' | 'last' | 'stdout' | 'stderr'
    >,
    Pick<LaunchEvidence, 'stdout' | 'stderr' | 'session_id' | 'model' | 'cli_version' | 'usage'> {
  /** It finished and did not exit by itself, so its end says nothing about its work. Absent: it exited by itself. */
  readonly did_not_exit?: { readonly quiet_seconds: number };
  /** What it did last, one line each; absent: its CLI reported nothing. */
  readonly last_did?: readonly string[];
  /** What its stream said that it wrote, relative to the workspace. Absent: nothing there. */
  readonly announced?: readonly string[];
  /** Variables that are set here, were not passed, and that its output names. Absent: none. */
  readonly unpassed?: readonly string[];
  /** Where a failed command says first what went wrong. Absent: nowhere. */
  readonly own_error?: readonly string[];
  /** False when an agent's stream has no final event: then an exit with 0 is an aborted run. */
  readonly final_seen: boolean;
  readonly final_ok: boolean;
  readonly final_reason: string | null;
  /** What structured fields of its CLI say of that failure. Absent: nothing. */
  readonly limit?: { readonly reached: boolean; readonly resets_at: string | null };
  readonly denials: readonly (AttemptEvidence['denials'][number] & {
    /** Where the CLI reported it; absent: not known. */
    readonly source?: 'event' | 'stderr' | 'network';
  })[];
}

export interface VerifyResult {
  readonly argv: readonly string[];
  readonly run_dir: string;
  readonly end: LaunchEnd;
  /** Last lines of its output, redacted. */
  readonly output_tail: string;
}

/** The names of the entries that a person saves and discards; an entry that is known already is in neither list. */
export interface MemoryDecision {
  readonly saves: readonly string[];
  readonly discards: readonly string[];
  readonly decision: HumanDecision;
}

export interface SavedMemory {
  readonly name: string;
  readonly version: number;
  /** POSIX, relative to the workspace root. */
  readonly path: string;
  readonly sha256: string;
}

export type AttemptFailure = FailureKind & {
  /** The rule that found it; absent: none of a table. */
  readonly by?: FailedRule;
};

export interface FailedRule {
  readonly at: CheckPoint | VerificationStep;
  readonly name: string;
}

/** How a step of verification ended; `not_applicable`: the task has nothing that it judges. */
export interface StepResult {
  readonly step: VerificationStep;
  readonly name: string;
  readonly outcome: DriverOutcome | 'not_applicable';
  /** What was found and is no failure; absent: nothing. */
  readonly recorded?: readonly string[];
}

/** The checks of one point: those that passed, and the one that failed. */
export interface ChecksResult {
  readonly point: CheckPoint;
  readonly passed: readonly string[];
  readonly failed: { readonly name: string; readonly outcome: DriverOutcome } | null;
}

type FailureKind = Variants<
  'kind',
  {
    structural: { code: StructuralCode; reason: string; details: readonly string[] };
    /** Stopped because another lane failed the mission. */
    abandoned: { reason: string; details: readonly string[] };
    recoverable: {
      category: ReasonCategory;
      /** The code of a validator; absent: that of the category. */
      code?: ContractCode;
      reason: string;
      details: readonly string[];
      /** When the limit of its provider ends; absent: no limit. */
      limit_ends?: LimitEnd;
      /** What the permissions of a directory keep a launch from; absent: nothing, or the launch did not name it. */
      unusable?: Unusable;
      /** What its sandbox may have kept from it; absent: nothing points there. */
      held_back?: HeldBack;
      /** What a revision may open to its commands; absent: nothing points there. */
      missed?: readonly Missed[];
      /** The code for which nothing was launched; absent: something was. */
      refused?: RefusalCode;
      /** ai.project.json is needed and not there. */
      no_project?: true;
      /** The layer in which its work waited is not there. */
      work_gone?: true;
      /** Why only a person may order another attempt; null: others may, too. */
      human_only:
        | 'stopped_by_human'
        | 'tree_not_gone'
        | 'permission_recovery'
        | 'budget_exceeded'
        | 'model_policy'
        | null;
      /** Absent: HALT. */
      outcome?: 'ASK_USER' | 'INTERVENTION_REQUIRED';
    };
  }
>;

/** `sealed`: a write where no plan opens a place; `link`: one to a hard link that is held. */
export type HeldBack = 'write' | 'sealed' | 'mount' | 'folder' | 'apart' | 'link';

/** A right that a failed command may have missed, because its output says so. */
export interface Missed {
  /** The entry that `mission plan revise --open` takes; null: the whole network. */
  readonly entry: string | null;
  /** Its approved command line names it, too. */
  readonly named?: true;
}

export interface ObservedChanges {
  readonly changes: readonly Change[];
  readonly observed_sha256: string;
  readonly head: string | null;
  readonly not_observed: readonly string[];
  readonly comparison: PathComparison;
  /** Signs of who may have made changes that only their time gives to the worker. Absent: no sign was found. */
  readonly signs?: readonly MakerSign[];
  /** What the worker only touched in its layer: it holds what the workspace held before others changed it. Absent: none. */
  readonly touched?: readonly string[];
  /** What its layer holds of files that something else changed meanwhile, and nothing shows who wrote it. Absent: none. */
  readonly doubtful?: readonly string[];
  /** Paths that earlier attempts of the task changed and this one did not, and that lie as they left them. Absent: not looked for, or none. */
  readonly earlier?: readonly string[];
}

/** An obstacle in the place of a file; paths are POSIX, relative to the workspace root. */
export interface MovedObstacle {
  readonly path: string;
  readonly moved_to: string;
}

/** A path that another task put into the workspace meanwhile, and that a layer took in. */
export interface Merged {
  readonly name: string;
  readonly was: HeldState;
  readonly task_id: string;
  /** What that task left there, as `leftWord`. */
  readonly left: string;
  /** `since` of the layer. */
  readonly since: number | undefined;
}
