import type { Actor } from '../../contracts/vocabulary/actors';
import type { ContractCode } from '../../contracts/vocabulary/codes';
import type {
  ApprovalSource,
  DriverOutcome,
  ExecutionState,
  LedgerStatus,
  Phase,
  TaskEvidenceStatus,
  TelemetryMode,
} from '../../contracts/vocabulary/execution';
import type { RecoveryOutcome } from '../../contracts/vocabulary/recovery';
import type { ProcessRecord } from '../../contracts/launch';
import type { ApprovedHere } from '../plan/approvalRecord';
import type { ApprovedPlan, PlannedTask } from '../plan/approvedPlan';
import type { FileSystemFacts } from '../locks/lockPath';
import type { ExternalSave } from '../observation/change';
import { stillOpen, type Outstanding, type HumanDecision } from '../observation/outstanding';
import type { VerifyChange } from '../observation/verifyChange';
import type {
  AttemptFailure,
  Claim,
  CriterionReport,
  LateResult,
  LaunchEnd,
  MovedObstacle,
  ObservedChanges,
  PreparedLaunch,
  TimedOut,
  VerifyResult,
} from './facts';
import type { Refusal } from '../../base/outcome';
import type { LaunchPurpose } from './events';
import type { CarriedRow, Handoff, ImportedHandoff } from './handoffFacts';
import { rowPlace } from './rowPlaces';

/** One execution of one approved plan, as the fold of its journal stream. */
export interface Mission {
  readonly mission_id: string;
  readonly run_id: string;
  readonly plan: ApprovedPlan;
  readonly plan_path: string;
  readonly plan_sha256: string;
  readonly approval_source: ApprovalSource;
  /** Who approved these bytes here, whatever name stands in them. */
  readonly approved_here: ApprovedHere | null;
  readonly started_by: Actor;
  readonly received_at: string;
  readonly tool_version: string;
  readonly warnings: readonly string[];
  readonly execution: ExecutionState;
  readonly execution_history: readonly { readonly state: ExecutionState; readonly at: string }[];
  readonly header_written: boolean;
  /** The earlier execution of the plan whose evidence was archived for this one. */
  readonly archived: { readonly mission_id: string; readonly header_sha256: string | null } | null;
  /** What stood where the mission writes, and where it was moved. */
  readonly moved_aside: readonly MovedObstacle[];
  /** What could not be done last; see `troubleOf`. */
  readonly trouble: Trouble | null;
  /** One row per task, in plan order. */
  readonly rows: readonly TaskRow[];
  /** The attempts that are live, in the order they were started: one for each lane, at most one in a sequential mission. */
  readonly lanes: readonly Attempt[];
  /** Run directories given away so far: numbers them. */
  readonly launches: number;
  /** How paths compare here and where linked folders lead, as last seen: locks are judged by what they mean. */
  readonly file_system: FileSystemFacts;
  readonly packets: readonly Packet[];
  readonly handoffs: readonly Handoff[];
  /** A block or a pause that has not been handed over yet. */
  readonly handoff_due: 'blocked' | 'paused' | null;
  /** Set when the run was given away: this mission only ends. */
  readonly moved: { readonly n: number; readonly sha256: string; readonly decision: HumanDecision } | null;
  /** Set when the run began somewhere else. */
  readonly resumed_from: ImportedHandoff | null;
  readonly hold: Hold;
  readonly cancel: HumanDecision | null;
  readonly criteria: readonly CriterionReport[] | null;
  readonly ending: Ending | null;
  readonly acknowledged: HumanDecision | null;
  /** Answers to commands already decided, by id. */
  readonly answers: Readonly<Record<string, CommandAnswer>>;
  readonly last_seq: number;
  readonly last_hash: string;
  readonly last_at: string;
}

export interface Trouble extends Refusal {
  /** Key of the effect. */
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
      /** What stands in the way; null when a person, or something a person has to look at, paused it. */
      readonly code: ContractCode | null;
    };

export interface Ending {
  readonly outcome: 'COMPLETED' | 'FAILED';
  readonly code: string | null;
  readonly reason: string;
  readonly cancelled: boolean;
  readonly at: string;
}

export interface TaskRow {
  readonly task: PlannedTask;
  readonly scope: TaskScope;
  readonly status: LedgerStatus;
  readonly code: string | null;
  readonly reason: string;
  /** Rises with every transition. */
  readonly version: number;
  readonly lock: 'held' | 'released' | 'none';
  /** Set while processes of an ended launch are not proven gone: the lock stays, nothing starts and the mission does not end. */
  readonly unproven: UnprovenTree | null;
  /** What it brings along from a handoff; null when the run began here. */
  readonly carried: CarriedRow | null;
  /** Ended attempts, oldest first. */
  readonly attempts: readonly EndedAttempt[];
  /** Set when somebody chose that this blocked task is tried again. */
  readonly retry: HumanDecision | null;
  /** With `retry`: the attempt whose result is judged once more, instead of another launch of the worker. */
  readonly validates: number | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  /** Sequence number of the event that ended it. */
  readonly ended_seq: number | null;
  readonly evidence: { readonly status: TaskEvidenceStatus; readonly path: string; readonly sha256: string } | null;
  /** What blocked an attempt, settled or not, oldest first. */
  readonly outstanding: readonly Outstanding[];
}

/** Where the task may write: its approved paths, and where those led that are links when the mission was locked. */
export interface TaskScope {
  readonly paths: readonly string[];
  readonly forbidden_paths: readonly string[];
}

export interface UnprovenTree {
  readonly launch_id: string;
  readonly run_dir: string;
  /** Looks that found somebody alive. */
  readonly looks: number;
  /** A person acted: it is looked for again. */
  readonly due: boolean;
}

/** What an attempt has collected so far; kept when it ends. */
export interface AttemptRecord {
  readonly task_id: string;
  readonly attempt: number;
  readonly telemetry_mode: TelemetryMode;
  readonly decided_by: HumanDecision | null;
  readonly started_at: string;
  /** Name of the run directory of its baseline and its worker; of what it observes, when it only validates. */
  readonly run_dir: string;
  /** Set when no worker is launched: what an earlier attempt left is judged once more. */
  readonly validates: Validated | null;
  readonly phases: readonly {
    readonly phase: Phase;
    readonly outcome: 'next' | 'not_applicable' | DriverOutcome;
    readonly note: string;
    readonly at: string;
  }[];
  readonly baseline: { readonly manifest_sha256: string; readonly files: number; readonly head: string | null } | null;
  readonly launches: readonly Launch[];
  readonly claim: Claim;
  readonly observed: ObservedChanges | null;
  readonly plan_sha256_observed: string | null;
  readonly plan_hash_explanation: string | null;
  readonly verify: readonly VerifyResult[];
  readonly external_saves: readonly ExternalSave[];
  readonly scope_breach: string | null;
  readonly timed_out: TimedOut | null;
  readonly late_result: LateResult | null;
  readonly stop_requested: HumanDecision | null;
  /** What was found after the verify commands; null when none ran, or it could not be read. */
  readonly after_verify: AfterVerify | null;
  /** Why its changes, or those of its verify commands, could not be read. */
  readonly unread: string | null;
}

export interface AfterVerify {
  readonly changes: readonly VerifyChange[];
  readonly observed_sha256: string;
  readonly head: string | null;
  readonly not_observed: readonly string[];
}

/** The result that is judged once more. */
export interface Validated {
  /** The attempt that made it. */
  readonly attempt: number;
  readonly launch: Launch;
  /** Name of the run directory that has its baseline. */
  readonly run_dir: string;
  /** It came after the attempt had been given up: how its process ended says nothing. */
  readonly late: boolean;
}

export interface EndedAttempt extends AttemptRecord {
  readonly ended_at: string;
  readonly outcome: DriverOutcome;
  readonly failure: AttemptFailure | null;
}

export interface Launch {
  readonly launch_id: string;
  readonly session_id: string;
  readonly nonce: string;
  readonly run_dir: string;
  readonly purpose: LaunchPurpose;
  readonly requested_at: string;
  readonly prepared: PreparedLaunch | null;
  readonly process: ProcessRecord | null;
  /** As the CLI reported it. */
  readonly worker_session_id: string | null;
  readonly end: LaunchEnd | null;
}

/** Where the live attempt stands: what it waits for. */
export type Stage =
  | { readonly at: 'plan_hash' }
  /** `since`: sequence number of the event after which the baseline may be taken. */
  | { readonly at: 'baseline'; readonly since: number }
  /** Ready to request the next launch: the worker, or verify command `index`. */
  | { readonly at: 'launch'; readonly purpose: LaunchPurpose }
  | { readonly at: 'preparing'; readonly launch_id: string; readonly purpose: LaunchPurpose }
  | { readonly at: 'starting'; readonly launch_id: string; readonly purpose: LaunchPurpose }
  | { readonly at: 'running'; readonly launch_id: string; readonly purpose: LaunchPurpose }
  /** `since`: sequence number of the event after which nobody of the lane writes any more. */
  | { readonly at: 'observing'; readonly since: number; readonly after: 'worker' }
  /** The same once more; `failure`: what kept a verify command from running. */
  | {
      readonly at: 'observing';
      readonly since: number;
      readonly after: 'verify';
      readonly failure: AttemptFailure | null;
    }
  /** Nothing is running any more; the verdict is due. */
  | { readonly at: 'judging'; readonly failure: AttemptFailure | null };

export interface Attempt extends AttemptRecord {
  readonly stage: Stage;
}

export interface Packet {
  readonly packet_id: string;
  readonly task_id: string;
  /** 0 when no attempt was made. */
  readonly attempt: number;
  /** Name of the run directory the block is about. */
  readonly run_dir: string;
  readonly issued_at: string;
  readonly written: { readonly path: string; readonly sha256: string } | null;
  readonly state:
    | { readonly kind: 'open' }
    | { readonly kind: 'resolved'; readonly outcome: RecoveryOutcome; readonly decision: HumanDecision }
    | { readonly kind: 'superseded'; readonly reason: string };
}

export interface CommandAnswer {
  readonly accepted: boolean;
  readonly code: string;
  readonly reason: string;
  readonly next: readonly string[];
}

export function rowOf(mission: Mission, taskId: string): TaskRow | undefined {
  return mission.rows[rowPlace(mission, taskId)];
}

/** What of its list still blocks a task. */
export function openChanges(row: Pick<TaskRow, 'outstanding'>): readonly Outstanding[] {
  return stillOpen(row.outstanding);
}

export function openPackets(mission: Mission): readonly Packet[] {
  return mission.packets.filter((packet) => packet.state.kind === 'open');
}

/** The launch of an attempt that ended without proof that its processes are gone. */
export function unprovenLaunch(attempt: Pick<AttemptRecord, 'launches'>): Launch | undefined {
  return attempt.launches.findLast((launch) => launch.end !== null && !launch.end.tree_gone);
}

/** The launch the live attempt is busy with, if any. */
export function currentLaunch(attempt: Attempt): Launch | undefined {
  const stage = attempt.stage;
  switch (stage.at) {
    case 'preparing':
    case 'starting':
    case 'running':
      return attempt.launches.find((launch) => launch.launch_id === stage.launch_id);
    case 'plan_hash':
    case 'baseline':
    case 'launch':
    case 'observing':
    case 'judging':
      return undefined;
  }
}
