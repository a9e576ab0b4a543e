import type { CommandAnswer } from './sessionFacts';
import type { Outstanding } from '../../contracts/record/changeEvidence';
import type { Grant } from '../../contracts/launchEvidence';
import type { Answer, Revision, Skipped, Undone } from '../../contracts/taskEvidence';
import type { Question } from '../../contracts/handoff';
import type { PauseCode, ReasonCategory } from '../../contracts/vocabulary/codes/codes';
import type { ExecutionState, LedgerStatus, TaskEvidenceStatus } from '../../contracts/vocabulary/execution';
import type { RecoveryOutcome } from '../../contracts/vocabulary/recovery';
import type { WorkerName } from '../../contracts/vocabulary/workers';
import type { PlannedTask, ApprovedPlan } from '../plan/approvedPlan';
import type { Criterion, HumanDecision } from '../../contracts/record/header';
import type { FileSystemFacts } from '../locks/lockPath';
import type { ReceivedPlan } from './envelopeEvents';
import { stillOpen } from '../observation/outstanding';
import type { Attempt, EndedAttempt, Launch } from './attempt';
import type { Undoing } from './events';
import type { MovedObstacle } from './facts';
import type { Refusal } from '../../base/outcome';
import type { CarriedTask, EarlierWork, SupersededBy } from './carried';
import type { CarriedRow, Handoff, ImportedHandoff } from './handoffFacts';
import type { Acceptance } from './acceptance';
import type { Session } from './session';
import type { Actor } from '../../contracts/vocabulary/actors';

export type { ReceivedPlan };

/** The plan of a mission, its tasks, and all that was launched for them. */
export interface Tasks extends ReceivedPlan {
  readonly run_id: string;
  /** One row per task, in plan order. */
  readonly rows: readonly TaskRow[];
  /** The live attempts in the order they were started; at most one in a sequential mission. */
  readonly lanes: readonly Attempt[];
  /** The number of run directories so far, which numbers the next one. */
  readonly launches: number;
  /** What other hosts used of its budget before it went on here. */
  readonly used_before: { readonly tokens: number; readonly usd: number };
  /** How paths compare and where linked folders lead, as last read: locks are compared by the files they mean. */
  readonly file_system: FileSystemFacts;
  /** Sessions of the runtime orchestrator, oldest first; at most the last one is live. */
  readonly sessions: readonly Session[];
}

/** How a mission goes on and ends: what people are asked, what they decided, and what holds it. */
export interface Course {
  readonly execution: ExecutionState;
  readonly execution_history: readonly { readonly state: ExecutionState; readonly at: string }[];
  readonly header_written: boolean;
  /** The earlier execution of the plan whose evidence was archived for this one. */
  readonly archived: { readonly mission_id: string; readonly header_sha256: string | null } | null;
  /** The last effect that failed; see `troubleOf`. */
  readonly trouble: Trouble | null;
  readonly packets: readonly Packet[];
  readonly handoffs: readonly Handoff[];
  /** The block or pause for which a handoff is still to be written. */
  readonly handoff_due: 'blocked' | 'paused' | null;
  /** Set when the run was moved: this mission only ends. The handoff: its number, bundle digest and folder. */
  readonly moved: {
    readonly n: number;
    readonly sha256: string;
    readonly path: string;
    readonly decision: HumanDecision;
  } | null;
  readonly hold: Hold;
  /** How many budgets were used when a person was last asked about a used up budget; 0: no person was asked. */
  readonly budgets_asked: number;
  readonly cancel: HumanDecision | null;
  /** The plan whose approval ended this mission, and whose decision that was. */
  readonly superseded: (SupersededBy & { readonly decision: HumanDecision }) | null;
  readonly criteria: readonly Criterion[] | null;
  readonly ending: Ending | null;
  readonly acknowledged: HumanDecision | null;
}

export type Progress = Tasks & Course;

/** One execution of one approved plan, as the fold of its journal stream. A function takes the part that it reads. */
export interface Mission extends Tasks, Course {
  readonly received_at: string;
  readonly warnings: readonly string[];
  /** Obstacles in the place of files, and where they were moved. */
  readonly moved_aside: readonly MovedObstacle[];
  /** Set when the run began elsewhere. */
  readonly resumed_from: ImportedHandoff | null;
  /** The closing of the attempt that was closed last, here or before a handoff; null: none was. */
  readonly closing_sha256: string | null;
  /** Answers to commands already decided, by id. */
  readonly answers: Readonly<Record<string, CommandAnswer>>;
  readonly last_seq: number;
  readonly last_hash: string;
  readonly last_at: string;
}

export interface Trouble extends Refusal {
  readonly effect: string;
  readonly at: string;
}

export type Hold =
  | { readonly kind: 'none' }
  /** Takes effect after the current attempt. */
  | { readonly kind: 'pause_requested'; readonly decision: HumanDecision }
  | {
      readonly kind: 'paused';
      readonly reason: string;
      readonly since: string;
      /** Why the mission paused itself; null when a person did, or processes are not proven gone. */
      readonly code: PauseCode | null;
    };

export interface Ending {
  readonly outcome: 'COMPLETED' | 'FAILED';
  readonly code: string | null;
  readonly reason: string;
  readonly cancelled: boolean;
  readonly at: string;
}

export interface TaskRow {
  /** The task as approved, with its revisions. */
  readonly task: PlannedTask;
  readonly scope: TaskScope;
  readonly status: LedgerStatus;
  readonly code: string | null;
  readonly reason: string;
  /** Rises with every transition. */
  readonly version: number;
  readonly lock: 'held' | 'released' | 'none';
  /** When its lock was taken last; null: never. */
  readonly locked_at: string | null;
  /** Set while processes of an ended launch are not proven gone: the lock is held, nothing starts or ends. */
  readonly unproven: UnprovenTree | null;
  /** What the row has from before a handoff; null when the run began here. */
  readonly carried: CarriedRow | null;
  /** What an earlier mission did of it, which this revision of its plan carries over; null: nothing. */
  readonly revised: CarriedTask | null;
  /** What it left in the missions of the plans that this one supersedes. */
  readonly earlier: EarlierWork['outputs'];
  /** Ended attempts, oldest first. */
  readonly attempts: readonly EndedAttempt[];
  /** The decision to retry this blocked task. */
  readonly retry: HumanDecision | null;
  /** With `retry`: the attempt whose result is validated again, instead of another launch of the worker. */
  readonly validates: number | null;
  /** What a person granted the next attempt. */
  readonly grants: readonly Grant[];
  /** What people answered its questions, oldest first. */
  readonly answers: readonly Answer[];
  /** What was revised of its metadata, oldest first. */
  readonly revisions: readonly Revision[];
  /** Texts for its next attempts that are not in the plan. */
  readonly notes: readonly Note[];
  /** The acceptance of the milestone that the unit validates; null: it is not accepted. */
  readonly acceptance: Acceptance | null;
  /** Why it has lost its acceptance, until it is validated again. */
  readonly outdated: string | null;
  /** A person's decision to skip it: it is canceled as soon as nothing of it runs. */
  readonly skipped: Skipped | null;
  /** The undo of an attempt that is to be carried out; null: none. Nothing of the mission starts meanwhile. */
  readonly undoing: Undoing | null;
  /** What people took back of its attempts, and took back again, oldest first. */
  readonly undone: readonly Undone[];
  readonly started_at: string | null;
  readonly ended_at: string | null;
  /** Sequence number of the event that ended the task. */
  readonly ended_seq: number | null;
  readonly evidence: {
    readonly status: TaskEvidenceStatus;
    readonly path: string;
    readonly sha256: string;
    /** Digest of MILESTONE_<id>.json; absent: the task validates none. */
    readonly milestone_sha256?: string;
  } | null;
  /** Changes that blocked an attempt, settled or not, oldest first. */
  readonly outstanding: readonly Outstanding[];
}

/** Where the task may write: its approved paths, and their targets if they were links when the mission was locked. */
export interface TaskScope {
  readonly paths: readonly string[];
  readonly forbidden_paths: readonly string[];
}

export interface UnprovenTree {
  readonly launch_id: string;
  readonly run_dir: string;
  /** The number of searches that did not prove the processes gone. */
  readonly looks: number;
  /** A person decided something, so the processes are searched for again. */
  readonly due: boolean;
}

export interface Packet {
  readonly packet_id: string;
  readonly task_id: string;
  /** 0 when no attempt was made. */
  readonly attempt: number;
  /** Name of the run directory the block is about. */
  readonly run_dir: string;
  readonly issued_at: string;
  /** What a person is asked; null: nothing. */
  readonly question: Question | null;
  /** How often a question was put on it after it was issued: it is written anew each time. */
  readonly asked: number;
  readonly answer: Answer | null;
  /** How often it was written. */
  readonly writes: number;
  readonly written: { readonly path: string; readonly sha256: string } | null;
  readonly state:
    | { readonly kind: 'open' }
    | { readonly kind: 'resolved'; readonly outcome: RecoveryOutcome; readonly decision: HumanDecision }
    | { readonly kind: 'superseded'; readonly reason: string };
}

/** The row of a task that the mission itself names: its attempts, packets and sessions have one. */
export function rowOf(mission: Tasks, taskId: string): TaskRow {
  const row = rowNamed(mission, taskId);
  if (!row) throw new Error(`Broken invariant: no row for task ${taskId}.`);
  return row;
}

/** The same for a name from elsewhere; undefined: the mission has no such task. */
export function rowNamed(mission: Tasks, taskId: string): TaskRow | undefined {
  return mission.rows[rowPlace(mission, taskId)];
}

/** Returns the worker of a launch, also of one that was never prepared. @param launch absent: the next one of its task */
export function workerOf(mission: Tasks, taskId: string, launch?: Pick<Launch, 'prepared' | 'purpose'>): WorkerName {
  if (launch?.prepared) return launch.prepared.worker;
  return launch?.purpose.kind === 'verify' ? 'command' : rowOf(mission, taskId).task.worker;
}

/** Returns what a task may write: its approved paths, or nothing where its declared intent only reads. */
export function writablePaths({ task, scope }: Pick<TaskRow, 'task' | 'scope'>): readonly string[] {
  return task.writes ? scope.paths : [];
}

export function openChanges(row: Pick<TaskRow, 'outstanding'>): readonly Outstanding[] {
  return stillOpen(row.outstanding);
}

/** The packet that the mission itself names. */
export function packetOf({ packets }: Pick<Mission, 'packets'>, packetId: string): Packet {
  const packet = packets.find(({ packet_id }) => packet_id === packetId);
  if (!packet) throw new Error(`Broken invariant: no packet ${packetId}.`);
  return packet;
}

/** The attempt that a packet is about; undefined: it was made before a handoff, or none was begun. */
export function attemptOf(
  mission: Tasks,
  { task_id, attempt }: Pick<Packet, 'task_id' | 'attempt'>,
): EndedAttempt | undefined {
  return rowOf(mission, task_id).attempts.find((one) => one.attempt === attempt);
}

export function categoryOf(mission: Tasks, packet: Pick<Packet, 'task_id' | 'attempt'>): ReasonCategory {
  const failure = attemptOf(mission, packet)?.failure;
  if (failure?.kind === 'recoverable') return failure.category;
  return rowOf(mission, packet.task_id).carried?.category ?? 'no_runnable_pending_work';
}

/** The outcome of the packet by which a person ordered a further attempt; null: no packet was answered. */
export function orderedBy(
  { packets }: Pick<Mission, 'packets'>,
  taskId: string,
  { at, reason }: HumanDecision,
): RecoveryOutcome | null {
  const packet = packets.findLast(
    ({ task_id, state }) =>
      task_id === taskId && state.kind === 'resolved' && state.decision.at === at && state.decision.reason === reason,
  );
  return packet?.state.kind === 'resolved' ? packet.state.outcome : null;
}

/** Returns how packets of a task were resolved since a person last decided about one of them. */
export function resolvedSince({ packets }: Course, taskId: string): readonly Resolved[] {
  const all = packets.flatMap(({ task_id, state }) => (task_id === taskId && state.kind === 'resolved' ? [state] : []));
  return all.slice(all.findLastIndex(({ decision }) => decision.actor.kind === 'human') + 1);
}

type Resolved = Extract<Packet['state'], { readonly kind: 'resolved' }>;

export function openPackets(mission: Course): readonly Packet[] {
  return mission.packets.filter((packet) => packet.state.kind === 'open');
}

/** A text for the next attempts; at most one of each kind of author. */
export interface Note {
  readonly text: string;
  readonly by: Actor;
}

interface Rows {
  readonly plan: ApprovedPlan;
  readonly rows: readonly { readonly task: { readonly task_id: string } }[];
}

/** Index of a task's row, -1 for an unknown task. Rows are in plan order, so one map per plan serves every state. */
export function rowPlace({ plan, rows }: Rows, taskId: string): number {
  const place = placesIn(plan).get(taskId);
  if (place !== undefined && rows[place]?.task.task_id === taskId) return place;
  return rows.findIndex((row) => row.task.task_id === taskId);
}

function placesIn(plan: ApprovedPlan): ReadonlyMap<string, number> {
  let found = places.get(plan);
  if (!found) places.set(plan, (found = new Map(plan.tasks.map(({ task_id }, index) => [task_id, index]))));
  return found;
}

const places = new WeakMap<ApprovedPlan, ReadonlyMap<string, number>>();
