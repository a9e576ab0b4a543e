import type { ModeChange, SandboxReach } from '../../src/contracts/launchEvidence';
import type { Due } from './due';
import type { MakerSign } from '../../src/core/observation/likelyMakers';
import type { ActorKind } from '../../src/contracts/vocabulary/actors';
import type { ContractCode, RefusalCode } from '../../src/contracts/vocabulary/codes/codes';
import type { ModelPolicyDocument } from '../../src/contracts/modelPolicy';
import type { FileSystemFacts } from '../../src/core/locks/lockPath';
import type { LaunchEnd } from '../../src/core/model/facts';
import type { LimitEnd } from '../../src/core/recovery/permission/classify';
import type { Unusable } from '../../src/core/recovery/permission/record';
import type { Command, ActiveMission, InputBody } from '../../src/core/model/inputs';
import type { MissionCommand } from '../../src/contracts/commands/missionCommand';
import type {
  MissionStatus,
  ExecutionState,
  LedgerStatus,
  TaskEvidenceStatus,
} from '../../src/contracts/vocabulary/execution';
import type { ExecutionEnvironment, RecoveryPermission } from '../../src/contracts/vocabulary/intents';
import type { OrchestratorChoice } from '../../src/core/model/sessionFacts';
import type { Plan } from '../../src/contracts/plan';
import type { RawChange } from '../../src/core/observation/change';
import type { PlannedTask } from '../../src/core/plan/approvedPlan';

/** One given/when/then case; a file of `cases/` holds a list of them. */
export interface Scenario extends Situation {
  /** Sentence: what must hold. */
  readonly title: string;
  /** `<step or point> <name>`: the rule that alone turns the outcome; without it the case goes red. */
  readonly alone?: string;
  readonly then: Expectation;
}

/** What is played: the plan, the world and the people. */
export interface Situation {
  readonly recovery_allow?: readonly RecoveryPermission[];
  readonly recovery_directories?: readonly string[];
  readonly after_limit?: 'resume';
  readonly on_block?: 'recover' | 'fail';
  /** A layer takes all work, and it lands once a person accepted it. Absent: it lands as `AttemptScript` says. */
  readonly landing?: 'accepted';
  /** A layer takes all work. */
  readonly layers?: 'all';
  readonly environment?: ExecutionEnvironment;
  /** Lanes of a parallel mission; absent: sequential. */
  readonly max_parallel?: number;
  readonly file_system?: FileSystemFacts;
  /** Tasks whose workers end last, in this order; everything else happens before. */
  readonly slow?: readonly string[];
  readonly success_criteria?: readonly string[];
  readonly budget?: { readonly tokens?: number; readonly usd?: number; readonly on_exceed?: 'stop' };
  /** This machine's model policy, over the shipped one. */
  readonly policy?: Omit<ModelPolicyDocument, 'schema_version'>;
  /** Who may decide about blocks in addition to people. */
  readonly orchestrator?: OrchestratorChoice;
  /** How each of its sessions went, in order; healthy where nothing is said. */
  readonly sessions?: readonly SessionScript[];
  /** Scratch paths of the plan. */
  readonly scratch?: readonly string[];
  readonly tasks: readonly (Partial<PlannedTask> & { readonly task_id: string })[];
  /** The milestones as in a plan; `milestone` of a task names one. */
  readonly milestones?: Plan['milestones'];
  /** How the world behaved, by `<task>#<attempt>`; healthy where nothing is said. */
  readonly world?: Readonly<Record<string, AttemptScript>>;
  /** What people do, in order; each waits for its moment. */
  readonly script?: readonly ScriptedAct[];
}

/** How one launch of a worker went, where that differs from what the attempt says. */
export interface LaunchScript {
  /** What the CLI denied, as it words it. */
  readonly denied?: readonly {
    readonly path?: string;
    readonly reason: string;
    readonly source?: 'event' | 'stderr';
  }[];
  readonly end?: Partial<LaunchEnd>;
  readonly claim?: AttemptScript['claim'];
  /** It ended before the runner saw it. */
  readonly not_seen?: true;
  /** Code with which it could not be prepared. */
  readonly impossible?: RefusalCode;
  /** The directory whose permissions kept it from being prepared. */
  readonly unusable?: Unusable;
  /** Modes that were changed for it. */
  readonly modes?: readonly ModeChange[];
}

export interface SessionScript {
  /** Code with which it could not be had. */
  readonly impossible?: RefusalCode;
  /** The owner that knew its token is gone. */
  readonly forgotten?: true;
  readonly end?: Partial<LaunchEnd>;
  /** Paths that changed while it ran. */
  readonly changes?: readonly string[];
  /** When they changed; absent: while it ran. */
  readonly changed_at?: string;
  readonly unread?: true;
  /** Its CLI did not start the mission tools. */
  readonly without_tools?: true;
}

export type ClaimScript =
  | 'done'
  | 'blocked'
  | 'blocked_asking'
  | 'missing'
  | 'invalid'
  | 'done_without_evidence'
  | 'done_without_changes'
  | 'done_with_placeholder'
  | 'done_unreported'
  | 'done_claiming_more'
  | 'done_claiming_less'
  | 'report_pass'
  | 'report_fail'
  | 'report_inconclusive'
  | 'report_without_evidence'
  | 'report_invisible_evidence'
  | 'report_leaving_out'
  | 'report_unknown'
  | 'report_critical';

export interface AttemptScript {
  /** The launches of its worker, in order. */
  readonly launches?: readonly LaunchScript[];
  readonly file_system?: FileSystemFacts | undefined;
  /** The plan file has other bytes until a person resumes: when the attempt begins. */
  readonly plan_changed_before?: boolean;
  /** The same when its worker has ended. */
  readonly plan_changed_during?: boolean;
  /** The same when its verify commands have ended. */
  readonly plan_changed_in_verify?: boolean;
  /** The same right before such a launch. */
  readonly plan_changed_at?: 'worker' | 'verify';
  readonly baseline_fails?: boolean;
  /** What its worker wrote waits in a layer; what becomes of it once it is verified. Absent: it is in the workspace. */
  readonly landing?: 'lands' | 'changed' | 'fails' | 'gone';
  /** What another task put there meanwhile does not merge. */
  readonly clashes?: true;
  /** ai.project.json for a task that needs or makes it; valid and unchanged where nothing is said. */
  readonly project?: 'absent' | 'invalid' | 'unwritable' | 'changed_during' | 'gone_during';
  readonly cli_missing?: boolean;
  /** The model that the settings name for its CLI. */
  readonly configured_model?: string;
  /** Where its launches could write, as their sandbox says; it has to be confined. */
  readonly reach?: SandboxReach;
  /** The command line of its launches; absent: `worker`. */
  readonly argv?: readonly string[];
  /** Denied places that are no folder. */
  readonly files?: readonly { readonly path: string; readonly absent: boolean }[];
  /** Hard links that its sandbox keeps read-only. */
  readonly held?: readonly string[];
  /** Its launches are held in a sandbox without a network. */
  readonly confined?: boolean;
  /** A layer lies over the workspace of its launches; they have to be confined. */
  readonly layered?: boolean;
  /** Code with which the assignment packet is refused. */
  readonly assignment_refused?: ContractCode;
  /** Code with which the contract's validator refuses the result. */
  readonly result_refused?: ContractCode;
  readonly observation_fails?: boolean;
  readonly end?: Partial<LaunchEnd>;
  readonly claim?: ClaimScript;
  /** What a person made of an incomplete result; `invalid`: no result packet. */
  readonly completed?: ClaimScript;
  /** What its worker proposes to remember: `domain/key = decision`, `... <- 2` where it names the version it replaces. */
  readonly remembers?: readonly string[];
  /** What is remembered from before, as `domain/key = decision`. */
  readonly remembered?: readonly string[];
  /** Paths that the person wrote meanwhile. */
  readonly completed_changes?: readonly string[];
  /** A letter for the files that a validation is about; `A` where nothing is said. */
  readonly tree?: string;
  /** The same before anything validates, where that is another one. */
  readonly tree_before?: string;
  /** The same after the verify commands, where that is another one. */
  readonly tree_in_verify?: string;
  /** The same for each later look before something relies on its acceptance; `unreadable`: they cannot be read. */
  readonly tree_later?: readonly string[];
  /** What these have afterwards, where that differs from other attempts. */
  readonly left?: Pick<RawChange, 'after_mode' | 'after_link'> & { readonly after_sha256?: string };
  /** Paths the worker changed. */
  readonly changes?: readonly string[];
  /** What the machine shows of who may have made them. */
  readonly signs?: readonly MakerSign[];
  readonly changed_at?: string;
  /** They changed while the last verify command of another task ran. */
  readonly changed_in_verify?: boolean;
  /** How the launch of each verify command went. */
  readonly verify_launch?: LaunchScript;
  /** Paths the verify commands changed. */
  readonly verify_changes?: readonly string[];
  /** What git makes of paths; `untracked` where nothing is said. */
  readonly known?: Readonly<Record<string, 'tracked' | 'ignored' | 'untracked'>>;
  readonly verify_unread?: boolean;
  /** The paths on the list of the task that are as they were before it blocked. */
  readonly back?: readonly string[];
  /** Paths of that list that were already as before at the baseline, and that may change again after it. */
  readonly back_before?: readonly string[];
  /** Exit codes of the verify commands. */
  readonly verify?: readonly number[];
  /** How a verify command ended, where that is more than its exit code. */
  readonly verify_end?: Partial<LaunchEnd>;
  /** What each later look for the processes of this attempt finds: true, all are gone. */
  readonly tree_looks?: readonly boolean[];
}

export interface ScriptedAct {
  /** `idle`: nothing is under way; otherwise just before this effect is answered. */
  readonly at:
    | 'idle'
    | {
        readonly effect: Due['kind'];
        readonly task?: string;
        readonly attempt?: number;
        readonly purpose?: 'verify';
      };
  /** Only once nothing else than this effect is under way. */
  readonly late?: boolean;
  readonly command?: MissionCommand;
  /** A reported fact instead of a command. */
  readonly report?: InputBody;
  readonly by?: ActorKind;
  readonly name?: string;
  readonly from_worker?: boolean;
  readonly identified?: boolean;
  readonly reason?: string;
  readonly expected_seq?: number;
  readonly active_elsewhere?: ActiveMission;
  readonly owner_was_absent?: boolean;
  /** The revision of SupersedeMission; default: approved, and no other revision ran. */
  readonly revision?: Command['revision'];
  /** The plan file when the command is decided. */
  readonly plan?: 'gone';
  /** `OK` or the refusal code. */
  readonly answer?: string;
  /** The steps that a refusal offers, all of them. */
  readonly next?: readonly string[];
}

export interface Expectation {
  readonly status: MissionStatus;
  readonly execution: ExecutionState;
  readonly rows: Readonly<Record<string, LedgerStatus>>;
  readonly codes?: Readonly<Record<string, string>>;
  /** Why a task's last attempt blocked. */
  readonly categories?: Readonly<Record<string, string>>;
  /** When the limit that blocked a task ends, as its packet and its status say. */
  readonly limit_ends?: Readonly<Record<string, LimitEnd>>;
  /** When a task goes on by itself, as its last packet says; null: a person decides. */
  readonly goes_on?: Readonly<Record<string, string | null>>;
  /** Who ordered each attempt of a task: `runner mission-control`, `human ada`; `nobody`: the plan did. */
  readonly ordered_by?: Readonly<Record<string, readonly string[]>>;
  /** How far the verification of a task's last attempt came, as a person reads it. */
  readonly verification?: Readonly<Record<string, string>>;
  readonly evidence?: Readonly<Record<string, TaskEvidenceStatus>>;
  readonly ending_code?: string;
  /** Why the mission paused itself, as its attention says. */
  readonly pause?: { readonly code: string; readonly next: readonly string[] };
  /** A part of that reason. */
  readonly pause_reason?: string;
  /** What phase 3 selected in each attempt, such as `claude-haiku haiku B claude_mid assistant`; or its outcome. */
  readonly models?: Readonly<Record<string, readonly string[]>>;
  /** What the evidence says of the model that each attempt's CLI reported. */
  readonly reported?: Readonly<Record<string, readonly (string | null)[]>>;
  readonly packets?: readonly { readonly task_id: string; readonly state: 'open' | 'resolved' | 'superseded' }[];
  /** Attempts per task. */
  readonly attempts?: Readonly<Record<string, number>>;
  /** `<task> <kind> <code or outcome>: <reason>`: what became of each session of the orchestrator. */
  readonly sessions?: readonly string[];
  /** Event types that come in this order, others between them. */
  readonly events?: readonly string[];
  readonly no_events?: readonly string[];
  /** `<task> started`, `<task> <outcome>`: attempts in the order of the journal. */
  readonly order?: readonly string[];
  /** What the packet of a task's last block asks, such as `worker codex: Which?`. */
  readonly questions?: Readonly<Record<string, string>>;
  /** What a task's last attempt was given, such as `Which? This one.`. */
  readonly answers?: Readonly<Record<string, readonly string[]>>;
  /** What was revised of a task's metadata, as a person reads it. */
  readonly revised?: Readonly<Record<string, readonly string[]>>;
  /** The telemetry mode of each attempt of a task and the rule that selected it, such as `DEGRADED by rule 2`. */
  readonly telemetry?: Readonly<Record<string, readonly string[]>>;
  /** What the audit log says of each invocation of a task. */
  readonly invocations?: Readonly<Record<string, readonly string[]>>;
  /** What the quarantined result of a task's last attempt claims. */
  readonly late_results?: Readonly<Record<string, string>>;
  /** Texts in the reason or the details of the failure of a task's last attempt, or in the ways out of its block. */
  readonly details?: Readonly<Record<string, readonly string[]>>;
  /** The reason of the failure of a task's last attempt, as a person reads it. */
  readonly reasons?: Readonly<Record<string, string>>;
  /** Why a task stands as it does. */
  readonly row_reasons?: Readonly<Record<string, string>>;
  /** `<issue> <action> <status> <retry_count>`: what recovery did for a task, in order. */
  readonly recoveries?: Readonly<Record<string, readonly string[]>>;
  /** Arguments of each launch of a task's worker, without the program. */
  readonly arguments?: Readonly<Record<string, readonly string[]>>;
  /** Launches of each attempt of a task. */
  readonly launches?: Readonly<Record<string, readonly number[]>>;
  /** What the evidence says of what a task's last attempt proposed to remember: `<name> <outcome> <version>`. */
  readonly memory?: Readonly<Record<string, readonly string[]>>;
  /** What phase 9 of a task's last attempt recorded: `<outcome> <note>`. */
  readonly phase_9?: Readonly<Record<string, string>>;
  /** Whose the changes of a task's last attempt are. */
  readonly attributions?: Readonly<Record<string, readonly string[]>>;
  /** `<name> <state>`: the list of a task. */
  readonly outstanding?: Readonly<Record<string, readonly string[]>>;
  /** A part of the reason with which the mission ended. */
  readonly ending_reason?: string;
  readonly criteria?: Readonly<Record<string, string>>;
  /** Milestones that are accepted at the end, and by which attempt of their validation. */
  readonly accepted?: Readonly<Record<string, number>>;
  /** `<assertion> <status> <by>`: what the evidence of a validation's last attempt says of each. */
  readonly assertions?: Readonly<Record<string, readonly string[]>>;
  /** Why each attempt of a task began without a decision; null: it did not. */
  readonly because?: Readonly<Record<string, readonly (string | null)[]>>;
}
