import type {
  ApprovalSource,
  CheckPoint,
  DriverOutcome,
  ExecutionState,
  LedgerStatus,
  MissionStatus,
  Phase,
  TelemetryMode,
} from '../vocabulary/execution';
import type { SandboxState } from '../vocabulary/confinement';
import type { BlockerEvent, RecoveryEvent } from '../record/recoveryEvent';
import type { Criterion } from '../record/header';
import type { MissionCommandName, TaskCommandName } from '../commands/missionCommand';
import { possibleSteps, type BlockView } from './blockView';
import type { LiveWorkerView, RunOfTask } from './liveView';
import type { MilestoneView } from './milestoneView';
import type { Intent, IntentSource, Tier, Role } from '../vocabulary/intents';
import type { MetadataField } from '../vocabulary/metadata';
import type { Step } from '../vocabulary/steps';
import type { Confinement, WorkerName } from '../vocabulary/workers';

/** Derived from the journal and the run directories. Texts are plain and may hold anything a worker wrote. */
export interface MissionControlView {
  readonly schema_version: '1.0.0';
  /** Rises with every snapshot of one sender; a view drops a snapshot older than the one it shows. */
  readonly sequence: number;
  readonly generated_at: string;
  /** Display name of the workspace folder. */
  readonly workspace: string;
  /** The process that owns the missions of this folder. */
  readonly owner: 'this' | 'another' | 'none';
  readonly missions: readonly MissionView[];
  /** Missions that could not be read; shown, never hidden. */
  readonly unreadable: readonly { readonly mission_id: string; readonly reason: string }[];
}

export interface MissionView {
  readonly mission_id: string;
  readonly run_id: string;
  readonly plan_id: string;
  readonly goal_id: string;
  readonly plan_path: string;
  readonly plan_sha256: string;
  readonly approval: {
    readonly source: ApprovalSource;
    /** From the approved bytes. */
    readonly by: string | null;
    readonly at: string | null;
    /** From the approval record of this machine. */
    readonly here: { readonly by: string; readonly at: string } | null;
    /** The journal says so, and it came from another user, machine or workspace. */
    readonly elsewhere?: true;
  };
  readonly execution: ExecutionState;
  readonly status: MissionStatus;
  /** True when the journal says running but no process owns the missions. */
  readonly interrupted: boolean;
  /** Present while it pauses: nothing new starts, and what runs goes on to its end. */
  readonly pausing?: true;
  readonly needs: Need | null;
  /** One sentence: what is happening, or why nothing is. */
  readonly headline: string;
  /** A sentence: the host of a fleet that runs it, and where. Absent: it is of this workspace. */
  readonly runs_on?: string;
  /** Its journal has no seal of this user, so it takes no decision here. Absent: it has one. */
  readonly foreign?: true;
  /**
   * A sentence: a stop of everything has not reached the process that runs the mission. Absent: it has, or there was
   * none.
   */
  readonly missed_stop?: string;
  /** Sentences: the plan file is not the approved one. Absent: it is, or it was not read. */
  readonly plan_differs?: string;
  readonly started_at: string;
  readonly updated_at: string;
  readonly ended_at: string | null;
  readonly tasks: readonly TaskView[];
  /** In the order in which they run; absent: the plan has none. */
  readonly milestones?: readonly MilestoneView[];
  readonly done: number;
  /** The first of `lanes`; null when nothing is under way. */
  readonly live: LiveWorkerView | null;
  /** Running attempts in the order they were started; at most one unless the plan asks for lanes. */
  readonly lanes: readonly LiveWorkerView[];
  /** The most attempts at once; 1 unless the plan asks for lanes. */
  readonly lane_limit: number;
  readonly blocks: readonly BlockView[];
  readonly offers: CommandOffers;
  readonly ending: {
    readonly outcome: 'COMPLETED' | 'FAILED';
    readonly code: string | null;
    readonly reason: string;
    readonly cancelled: boolean;
  } | null;
  readonly acknowledged: boolean;
  /** Who is asked about blocks; absent: people alone. */
  readonly orchestrator?: {
    readonly worker: WorkerName;
    /** The session that is under way; absent: none is. */
    readonly session?: RunOfTask & { readonly launch_id: string } & Pick<LiveWorkerView, 'pid' | 'left'>;
  };
  /** The plan that this one is a revision of; absent: none. */
  readonly supersedes?: string;
  /** The revision that was approved in its place; absent: none was. */
  readonly superseded_by?: string;
  /**
   * Why a person is needed, also when no packet is open; null otherwise. `code`: what paused the mission; null when
   * processes could not be proven gone. `key` identifies the matter.
   */
  readonly attention: {
    readonly code: string | null;
    readonly reason: string;
    readonly key: string;
    /** What a person can do; absent when the reason says it. */
    readonly next?: readonly Step[];
  } | null;
  /** What a person can do where neither `attention` nor a block says it; absent: nothing has to be done. */
  readonly next?: readonly Step[];
  /** What permission recovery did and could not do, as the contract's events. */
  readonly recoveries: readonly (RecoveryEvent | BlockerEvent)[];
  readonly success_criteria: readonly Criterion[];
  /** Sum over all launches; null where no CLI reported a value. */
  readonly usage: {
    readonly input_tokens: number | null;
    readonly output_tokens: number | null;
    readonly cost_usd: number | null;
  };
  readonly evidence_dir: string;
  /** Attempts that the audit log closed, and launches of agents in it; absent: nothing is sealed yet. */
  readonly audit?: { readonly sealed: number; readonly invocations: number };
  /** Newest last, at most 50. */
  readonly events: readonly EventLine[];
  readonly last_seq: number;
}

/** What a person can ask now: of the mission, and by command of which tasks. */
export type CommandOffers = Readonly<Record<MissionCommandName, boolean>> &
  Readonly<Record<TaskCommandName, readonly string[]>>;

export interface TaskView {
  readonly task_id: string;
  readonly description: string;
  readonly worker: WorkerName;
  readonly status: LedgerStatus;
  /** The milestone that it belongs to or validates; absent: none. */
  readonly milestone?: string;
  /** Present on the unit that validates its milestone: it is no task of the plan. */
  readonly validates?: true;
  readonly stopped?: true;
  /** Present when a person skipped it, or a task that it depends on. */
  readonly skipped?: true;
  /** The mission that did it, where a revision carried it over; absent: it was not. */
  readonly carried_from?: string;
  /** Present while its attempt waits for a person, so that nothing of it runs although its status is in_progress. */
  readonly awaited?: true;
  readonly asks?: true;
  /** Present while its attempt has not ended and no process watches it: its status is in_progress in the journal only. */
  readonly interrupted?: true;
  /** What may be revised of it, as it is now; absent while it runs and once it has ended. */
  readonly metadata?: Readonly<Partial<Record<MetadataField, string | number | null>>>;
  readonly depends_on: readonly string[];
  readonly code: string | null;
  readonly reason: string;
  readonly attempts: number;
  /** Those of `attempts` that judged an earlier result once more, without a worker; absent: none. */
  readonly validations?: number;
  readonly paths: readonly string[];
  readonly started_at: string | null;
  readonly ended_at: string | null;
  /** Why the last attempt failed, item by item; the paths of a SCOPE_VIOLATION. */
  readonly details: readonly string[];
  /** Files the last attempt changed, as observed. */
  readonly changed: readonly string[];
  /** Counts the verify commands of the last attempt; `ran` 0: none was started. */
  readonly verified: { readonly passed: number; readonly ran: number; readonly total: number };
  /** What kind of work it is, and what says so; absent for a command. */
  readonly intent?: { readonly intent: Intent; readonly from: IntentSource };
  /** Absent before its first attempt. */
  readonly last_attempt?: AttemptView;
  /** What the driver knows of it, in words: phase, intent, model, context, telemetry, sandbox, checks, usage. */
  readonly facts?: readonly FactLine[];
  /** How far the last verification came, such as `stopped at step 4 of 7, scope and mutation`; absent before one. */
  readonly verification?: string;
  /** What confined its last launch; null before the first. */
  readonly confinement: Confinement | null;
  /** What that means for it, as a sentence; absent before the first launch. */
  readonly confined?: string;
  /** What of its paths the sandbox cannot hold as finely as they are approved: observation judges it. Absent: nothing. */
  readonly coarser?: readonly string[];
  /** What its last attempt was denied, verify commands included, such as writes that its sandbox refused; absent: nothing. */
  readonly denied?: readonly string[];
  /** What it was denied and what became of that, oldest first; absent: nothing was denied. */
  readonly recoveries?: readonly RecoveryView[];
}

export interface FactLine {
  readonly name: string;
  readonly value: string;
}

export interface AttemptView {
  readonly attempt: number;
  /** Null: it has ended. */
  readonly phase: { readonly phase: Phase; readonly name: string } | null;
  /** In the order in which they ended. */
  readonly phases: readonly { readonly phase: Phase; readonly name: string; readonly outcome: DriverOutcome }[];
  /** `rule`: the one that selected the mode. */
  readonly telemetry: { readonly mode: TelemetryMode; readonly rule: 1 | 2 | 3 };
  /** The selected model; absent for a command. `resolved_id` null: the CLI chooses. */
  readonly model?: {
    readonly logical_id: string;
    readonly resolved_id: string | null;
    readonly tier: Tier;
    readonly capability_profile: string;
    readonly role: Role;
    readonly policy_sha256: string;
  };
  /** Digest of its frozen context; absent for a command. */
  readonly context_sha256?: string;
  /** What its processes may write; `none`: nothing holds them back, and their changes are observed. */
  readonly sandbox?: SandboxState | 'none';
  /** Changes that its sandbox made impossible for it, so others made them; absent: none. */
  readonly others?: number;
  /** Why the supervisor ended its agent although the agent had finished; absent: the agent exited by itself. */
  readonly did_not_exit?: string;
  /** A sentence: the clock of the file system is far off, and what a person does. Absent: it is not. */
  readonly clock?: string;
  /** The steps of verification that were judged, in order. */
  readonly verification?: readonly {
    readonly step: number;
    readonly name: string;
    readonly outcome: DriverOutcome | 'not_applicable';
  }[];
  readonly checks?: readonly {
    readonly point: CheckPoint;
    readonly name: string;
    readonly outcome: DriverOutcome | 'not_machine_checked';
  }[];
  /** Absent: no agent reported any. */
  readonly usage?: MissionView['usage'];
}

/** A reaction to a denial, or a grant, in words. */
export interface RecoveryView {
  readonly attempt: number;
  /** What was denied, as its CLI reported it, or why the first launch was given more. */
  readonly what: string;
  /** How the launch differed: why, the difference, the line before, the line after. Empty: there was none. */
  readonly change: readonly string[];
  readonly outcome: string;
  readonly status: 'pending' | 'success' | 'failed' | 'escalated' | 'granted' | 'carried_over';
}

export function nextSteps({
  attention,
  next,
  blocks,
}: Pick<MissionView, 'attention' | 'next' | 'blocks'>): readonly Step[] {
  return [...(attention?.next ?? next ?? []), ...blocks.flatMap(possibleSteps)];
}

export interface EventLine {
  readonly seq: number;
  readonly at: string;
  readonly actor: string;
  readonly type: string;
  readonly text: string;
  readonly mark?: EventMark;
}

/** How an event looks before it is read: what begins, ends, waits, is tried again, is locked, is good or bad. */
export type EventMark = 'begins' | 'ends' | 'waits' | 'again' | 'locked' | 'good' | 'bad';

/** `answer`: it asks, and nothing failed. `decision`: it stands still until one is made. `look`: it failed, unseen. */
export type Need = 'answer' | 'decision' | 'look';
