import { shownWait, type WaitName, type WaitTimes } from '../vocabulary/waits';
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
import type { Actor } from '../vocabulary/actors';
import type { BlockerEvent, RecoveryEvent } from '../record/recoveryEvent';
import type { Criterion } from '../record/header';
import type { MissionCommandName, TaskCommandName } from '../commands/missionCommand';
import type { MilestoneView } from './milestoneView';
import type { Intent, IntentSource, RecoveryPermission, Tier, Role } from '../vocabulary/intents';
import type { MetadataField } from '../vocabulary/metadata';
import type { Step } from '../vocabulary/steps';
import type { RecoveryOutcome } from '../vocabulary/recovery';
import type { Confinement, WorkerName } from '../vocabulary/workers';

/**
 * The snapshot that Mission Control, the status bar and `mission status` show, derived from the journal and the run
 * directories. All texts are plain text and may hold anything a worker wrote.
 */
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
    /** The journal says so, and no seal of this user does: it came from another user or machine. */
    readonly elsewhere?: true;
  };
  readonly execution: ExecutionState;
  readonly status: MissionStatus;
  /** True when the journal says running but no process owns the missions. */
  readonly interrupted: boolean;
  /** Present while it pauses: nothing new starts, and what runs goes on to its end. */
  readonly pausing?: true;
  /** Null: no person is needed. */
  readonly needs: Need | null;
  /** One sentence: what is happening, or why nothing is. */
  readonly headline: string;
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
    readonly session?: {
      readonly task_id: string;
      readonly launch_id: string;
      readonly run_dir: string;
      readonly pid: number | null;
      /** Set when no process watches it: how its process stands. */
      readonly left?: LiveWorkerView['left'];
    };
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
  /** Present when a person stopped it. */
  readonly stopped?: true;
  /** Present when a person skipped it, or a task that it depends on. */
  readonly skipped?: true;
  /** The mission that did it, where a revision carried it over; absent: it was not. */
  readonly carried_from?: string;
  /** Present while its attempt waits for a person, so that nothing of it runs although its status is in_progress. */
  readonly awaited?: true;
  /** Present while its question waits for an answer. */
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

/** What the driver recorded of an attempt. */
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

export interface LiveWorkerView {
  readonly task_id: string;
  readonly attempt: number;
  /** Counts the launches of the worker in this attempt. */
  readonly launch: number;
  readonly purpose: 'worker' | 'verify';
  readonly worker: WorkerName;
  readonly stage: string;
  /** Present where no process runs the mission: how its process stands now; `stage` and `doing` then say the same. */
  readonly left?: { readonly state: 'runs' | 'ended' | 'unstarted' | 'unknown'; readonly text: string };
  /** What it does while it runs: `edits files`, `runs the verify commands`. */
  readonly doing: string;
  readonly run_dir: string;
  readonly session_id: string | null;
  readonly model: string | null;
  readonly confinement: Confinement | null;
  readonly pid: number | null;
  readonly started_at: string | null;
  /** From the heartbeat file; null when it could not be read. */
  readonly last_progress_at: string | null;
  /** This and the next two: from the activity file; null before the first output. */
  readonly last_output_at: string | null;
  readonly output_bytes: number | null;
  readonly output_lines: number | null;
  /** `waits for the provider, 40 s: overloaded`; absent while it does not wait. */
  readonly waits?: string;
  /** What it did last, newest last: `edit`, `src/a.ts`; absent: its CLI has reported nothing. */
  readonly actions?: readonly { readonly what: string; readonly on: string }[];
  readonly stopping: boolean;
  /** Present while a person decides what of it is remembered. */
  readonly memory?: readonly ProposedMemoryView[];
  /** Present while a person completes its result: the packet, null until it is written, and what is incomplete. */
  readonly intervention?: { readonly path: string | null; readonly missing: readonly string[] };
}

/** An entry that its worker proposes to remember. */
export interface ProposedMemoryView {
  /** `DOMAIN/KEY` */
  readonly name: string;
  readonly decision: string;
  readonly rationale: string;
  /** It contradicts what is remembered, without saying that it replaces that. */
  readonly conflict: boolean;
  /** What is remembered under this name. */
  readonly current: { readonly version: number; readonly decision: string } | null;
}

export interface BlockView extends WaitTimes {
  readonly packet_id: string;
  readonly task_id: string;
  readonly attempt: number;
  readonly state: 'open' | 'left_blocked';
  /** Who left it blocked, or accepted what blocked it, and why, as a sentence; absent: it waits for a decision. */
  readonly decided?: string;
  /** Present when a person stopped it. */
  readonly stopped?: true;
  readonly code: string | null;
  readonly category: string | null;
  readonly reason: string;
  readonly details: readonly string[];
  /** When the limit of its provider ends: from a timestamp of its CLI, or in its own words; absent: no limit. */
  readonly limit_ends?: { readonly at: string | null; readonly said: string | null };
  readonly packet_path: string | null;
  readonly run_dir: string;
  /** Absent: something was launched, and left its output in `run_dir`. */
  readonly no_output?: true;
  readonly issued_at: string;
  /** What the orchestrator makes or made of it, as a sentence; absent: it was not asked. */
  readonly orchestrator?: string;
  readonly allowed_outcomes: readonly RecoveryOutcome[];
  /** The ways out: what is possible now first, the recommended one at the head; last what is not, with its reason. */
  readonly ways: readonly WayView[];
  /** The first hundred changes that block until they are undone or a person accepts them by name. */
  readonly acceptable: readonly { readonly name: string; readonly why: string }[];
  /** Present when a person may grant what its worker was denied; `path` null: the workspace itself. */
  readonly denied?: { readonly permission: RecoveryPermission; readonly path: string | null; readonly reads?: true };
  /** Present while a person is asked something. `asked`: how often a question was put on the packet since its block. */
  readonly question?: {
    readonly text: string;
    /** Empty: the answer is in words. */
    readonly choices: readonly { readonly id: string; readonly text: string }[];
    readonly asked_by: Actor;
    readonly asked: number;
    /** What every answer leads to; absent: its choices say it. */
    readonly leads_to?: 'attempt' | 'record';
  };
}

/** A step that a person can take about a block, or why it is not possible now. */
export interface WayView {
  readonly step: Step;
  /** `Try it again` */
  readonly label: string;
  /** What the person does before it, and what it does. */
  readonly does: string;
  /** The outcome of the packet that it chooses; absent: it is another command. */
  readonly outcome?: RecoveryOutcome;
  /** When that outcome is safe, in the words of the contract. */
  readonly safe_when?: string;
  /** It mends what blocked, by the row of the block. */
  readonly helps?: true;
  /** Present on the likeliest one of these. */
  readonly recommended?: true;
  /** Why it is not possible now, and what is; absent: it is possible. */
  readonly refused?: { readonly reason: string; readonly next: readonly string[] };
}

/** The steps that are possible now, the recommended one first. */
export function possibleSteps({ ways }: Pick<BlockView, 'ways'>): readonly Step[] {
  return ways.flatMap(({ step, refused }) => (refused ? [] : [step]));
}

/** Words, and times that a page shows in the zone of its reader. */
export type StandingLine = readonly (string | { readonly at: string })[];

/** Says of a block, for every place that shows it, until when it waits and what was decided about it. */
export function standingLines(block: Pick<BlockView, WaitName | 'decided'>, unowned: boolean): readonly StandingLine[] {
  const wait = shownWait(block);
  const [before, after] = wait?.words[unowned ? 'unowned' : 'until'] ?? ['', ''];
  return [
    ...(wait ? [[before, { at: wait.at }, after]] : []),
    ...(block.decided === undefined ? [] : [[block.decided]]),
  ];
}

export function lineText(line: StandingLine): string {
  return line.map((part) => (typeof part === 'string' ? part : part.at)).join('');
}

/** Every step that a person can take about a mission now, about its blocks as well. */
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

/** `5 s`, `2 min 5 s`, `1 h 2 min`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The time between two moments (ISO-8601); null where one of them is unknown. */
export function elapsedText(from: string | null, until: string | null): string | null {
  const ms = from === null || until === null ? Number.NaN : Date.parse(until) - Date.parse(from);
  return Number.isNaN(ms) ? null : durationText(ms);
}

/**
 * What a mission needs a person for. `answer`: it asks something, and nothing failed. `decision`: something stands still
 * until a person decides. `look`: it failed, and no person has seen that.
 */
export type Need = 'answer' | 'decision' | 'look';

/** Says how long a worker has run, its last sign of life and the amount of its output. @param now ISO-8601 */
export function liveText(
  live: Pick<
    LiveWorkerView,
    'started_at' | 'last_progress_at' | 'last_output_at' | 'output_bytes' | 'output_lines' | 'waits'
  >,
  now: string,
): string {
  const running = elapsedText(live.started_at, now);
  const output = elapsedText(live.last_output_at, now);
  const progress = elapsedText(live.last_progress_at, now);
  const amount = outputText(live);
  return [
    running === null ? 'running' : `running ${running}`,
    ...(live.waits === undefined ? [] : [live.waits]),
    ...(output === null ? [] : [`last output ${output} ago`]),
    ...(output === null && progress !== null ? [`last progress ${progress} ago`] : []),
    ...(amount === '' ? [] : [amount]),
  ].join(', ');
}

/** Says the amount of its output; empty where it wrote nothing. */
export function outputText(live: Pick<LiveWorkerView, 'output_bytes' | 'output_lines'>): string {
  const [lines, bytes] = [live.output_lines ?? 0, live.output_bytes ?? 0];
  const kilo = bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
  return [
    ...(lines > 0 ? [`${lines} line${lines === 1 ? '' : 's'}`] : []),
    ...(bytes > 0 ? [bytes < 1000 ? `${bytes} bytes` : kilo] : []),
  ].join(', ');
}
