import type { Actor } from '../../contracts/vocabulary/actors';
import type { ContractCode, RefusalCode } from '../../contracts/vocabulary/codes';
import type { ApprovalSource } from '../../contracts/vocabulary/execution';
import type { MissionCommand } from '../../contracts/missionCommand';
import type { ProcessRecord } from '../../contracts/launch';
import type { HandoffImport, HandoffReport } from './handoffFacts';
import type { ApprovedHere } from '../plan/approvalRecord';
import type { ApprovedPlan } from '../plan/approvedPlan';
import type { FileSystemFacts } from '../locks/lockPath';
import type { PathComparison } from '../paths/compare';
import type { ExternalSave, RawChange } from '../observation/change';
import type { PathStanding } from '../observation/standing';
import type { RecoveryFacts, Claim, LaunchEnd, MovedObstacle, PreparedLaunch, TimedOut, VerifyResult } from './facts';
import type { Refusal } from '../../base/outcome';

/** One step of the mission: what happened or what somebody wants, with time and randomness as data. */
export interface Input {
  /** ISO-8601 UTC. */
  readonly at: string;
  readonly actor: Actor;
  /** Fresh randomness this decision may use. */
  readonly fresh: Fresh;
  readonly body: InputBody;
}
export interface Fresh {
  readonly launch_id: string;
  readonly session_id: string;
  /** 32 lower-case hex digits. */
  readonly nonce: string;
}

export type InputBody = Command | Report;

export interface ActiveMission {
  readonly mission_id: string;
  /** False: it ends, or a pause was asked for already. */
  readonly pausable: boolean;
}

export interface Command {
  readonly type: 'Command';
  /** Identifies the command for ever: the same id is answered the same way and has no second effect. */
  readonly command_id: string;
  readonly command: MissionCommand;
  readonly reason: string;
  /** The sequence number the sender saw; null when it does not matter. */
  readonly expected_seq: number | null;
  /** True when the sender runs inside a worker's process tree: then it is no human. */
  readonly from_worker: boolean;
  /** False when the owner could not find the process that sent it. */
  readonly identified: boolean;
  /** True when nobody ran the mission until this command came: `resume` then continues it. */
  readonly owner_was_absent: boolean;
  /** Another mission of this workspace that has a live attempt, or null. */
  readonly active_elsewhere: ActiveMission | null;
  /** What had failed before and was tried again for this command, in vain, or keeps anything from being recorded; nothing goes on before it is mended. */
  readonly stuck?: Refusal | null;
  /** What an owner saw that takes the mission over with this command; it is recovered before anything follows. */
  readonly recovery?: RecoveryFacts | null;
}

/** Facts reported by effects and by the owner; past tense. */
export type Report = LaneReport | MissionReport;

/** About a live attempt; by its launch, or by task and attempt. What a person saved is told to all of them. */
export type LaneReport =
  | {
      readonly type: 'PlanHashWasRead';
      readonly task_id: string;
      readonly attempt: number;
      readonly observed: string | null;
      readonly explanation: string | null;
    }
  | {
      readonly type: 'BaselineWasTaken';
      readonly task_id: string;
      readonly attempt: number;
      readonly manifest_sha256: string;
      readonly files: number;
      readonly head: string | null;
      /** Of what is on the list of the task. */
      readonly standing?: readonly PathStanding[];
    }
  | {
      readonly type: 'BaselineFailed';
      readonly task_id: string;
      readonly attempt: number;
      readonly code: RefusalCode;
      readonly reason: string;
    }
  | { readonly type: 'LaunchWasPrepared'; readonly launch_id: string; readonly prepared: PreparedLaunch }
  | {
      readonly type: 'LaunchWasImpossible';
      readonly launch_id: string;
      readonly code: RefusalCode;
      readonly reason: string;
    }
  /** The assignment packet was refused: nothing is launched. */
  | {
      readonly type: 'AssignmentWasRefused';
      readonly launch_id: string;
      readonly code: ContractCode;
      readonly reason: string;
      readonly findings: readonly string[];
    }
  | { readonly type: 'WorkerWasStarted'; readonly launch_id: string; readonly process: ProcessRecord }
  | {
      readonly type: 'WorkerSessionWasSeen';
      readonly launch_id: string;
      readonly worker_session_id: string;
      readonly model: string | null;
    }
  | { readonly type: 'OutOfScopeWriteWasSeen'; readonly launch_id: string; readonly path: string }
  | ({ readonly type: 'WorkerWentSilent' } & TimedOut)
  | { readonly type: 'DocumentWasSaved'; readonly save: ExternalSave }
  | { readonly type: 'WorkerHasEnded'; readonly launch_id: string; readonly end: LaunchEnd; readonly claim: Claim }
  | {
      readonly type: 'ChangesWereRead';
      readonly task_id: string;
      readonly attempt: number;
      /** Absent: after the worker. */
      readonly after?: 'verify';
      /** Of what is on the list of the task, and of what changed since the worker was judged. */
      readonly standing?: readonly PathStanding[];
      readonly changes: readonly RawChange[];
      readonly observed_sha256: string;
      readonly head: string | null;
      readonly not_observed: readonly string[];
      /** How paths compare on this file system. */
      readonly comparison: PathComparison;
      readonly plan_sha256_observed: string | null;
      /** Read anew when a link was among the changes. */
      readonly file_system?: FileSystemFacts;
    }
  | {
      readonly type: 'ChangesCouldNotBeRead';
      readonly task_id: string;
      readonly attempt: number;
      readonly after?: 'verify';
      readonly reason: string;
    }
  | { readonly type: 'VerifyHasEnded'; readonly launch_id: string; readonly result: VerifyResult };

/** About the mission as a whole, or what has ended of it. */
export type MissionReport =
  | HandoffReport
  | {
      readonly type: 'PlanReceived';
      readonly mission_id: string;
      readonly plan: ApprovedPlan;
      readonly plan_path: string;
      readonly plan_sha256: string;
      readonly approval_source: ApprovalSource;
      readonly approved_here?: ApprovedHere | null;
      readonly warnings: readonly string[];
      readonly tool_version: string;
      /** Set when the run began somewhere else: its judged bundle. */
      readonly handoff?: HandoffImport;
    }
  | ({ readonly type: 'EffectHasFailed'; readonly effect: string } & Refusal)
  | ({ readonly type: 'ObstacleWasMoved' } & MovedObstacle)
  /** `recovery`: null where nothing in the world was looked at. */
  | { readonly type: 'OwnerStarted'; readonly recovery?: RecoveryFacts | null }
  /** Evidence of an earlier execution lies where this one writes. */
  | { readonly type: 'EarlierEvidenceWasFound'; readonly mission_id: string; readonly header_sha256: string | null }
  | {
      readonly type: 'HeaderWasWritten';
      readonly archived_mission_id: string | null;
      readonly archived_header_sha256?: string | null;
      readonly file_system?: FileSystemFacts;
    }
  /** Asked for because an earlier end could not prove that every process of the launch was gone. */
  | {
      readonly type: 'TreeWasLookedFor';
      readonly task_id: string;
      readonly launch_id: string;
      readonly gone: boolean;
      readonly survivors: readonly number[];
    }
  | {
      readonly type: 'TaskEvidenceWasWritten';
      readonly task_id: string;
      readonly path: string;
      readonly sha256: string;
    }
  | { readonly type: 'PacketWasWritten'; readonly packet_id: string; readonly path: string; readonly sha256: string }
  | { readonly type: 'ReportWasWritten'; readonly header_sha256: string; readonly summary_sha256: string };
