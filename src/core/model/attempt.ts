import type { UsageFacts, Grant, ModeChange } from '../../contracts/launchEvidence';
import type { Answer, AttemptContext } from '../../contracts/taskEvidence';
import type { HumanDecision } from '../../contracts/record/header';
import type { DriverOutcome, TelemetryMode } from '../../contracts/vocabulary/execution';
import type { ProcessRecord } from '../../contracts/launch';
import type { ExternalSave } from '../observation/change';
import type {
  AttemptFailure,
  Claim,
  LateResult,
  LaunchEnd,
  MemoryDecision,
  Merged,
  ObservedChanges,
  PreparedLaunch,
  OfAttempt,
  ProjectAtEnd,
  SavedMemory,
  TimedOut,
  VerifyResult,
} from './facts';
import type { ProposedMemory } from '../../contracts/memory';
import type { MemoryStanding } from '../memory/rememberedValue';
import type { LaunchAdjustment, Recovery } from '../recovery/permission/record';
import type { LaunchPurpose, MissionEvent, MissionEvents, SeenAtEnd } from './events';

export interface CompletedPhase extends Readonly<
  Omit<MissionEvents['PhaseCompleted'], keyof OfAttempt | 'context' | 'bootstraps' | 'follows_sha256'>
> {
  readonly at: string;
}

export interface AttemptRecord extends OfAttempt {
  readonly telemetry_mode: TelemetryMode;
  readonly decided_by: HumanDecision | null;
  readonly started_at: string;
  /** The place of its start in the journal: the clock may be set between two attempts. */
  readonly started_seq: number;
  /** Name of the run directory with its baseline and its worker; of its observation, when it only validates. */
  readonly run_dir: string;
  /** Set when no worker is launched, but the result of an earlier attempt is validated again. */
  readonly validates: Validated | null;
  readonly phases: readonly CompletedPhase[];
  readonly baseline: Readonly<Omit<MissionEvents['BaselineTaken'], 'task_id' | 'tree_sha256'>> | null;
  /** It bootstraps, so phase 2a belongs to it. */
  readonly bootstraps?: true;
  /** Absent before phase 2, for commands. */
  readonly context?: AttemptContext;
  /** Absent: the attempt needed no look. */
  readonly project_at_end?: ProjectAtEnd;
  readonly launches: readonly Launch[];
  readonly claim: Claim;
  readonly observed: ObservedChanges | null;
  readonly plan_sha256_observed: string | null;
  readonly plan_hash_explanation: string | null;
  /** How often the plan file was gone or had other bytes; absent: never. */
  readonly plan_waits?: number;
  readonly verify: readonly VerifyResult[];
  readonly external_saves: readonly ExternalSave[];
  /** A path out of scope for which its worker is stopped at once. */
  readonly scope_breach: string | null;
  /** The runner saw that change, and no stream announced it. Absent: announced. */
  readonly breach_seen?: true;
  /** Nothing shows who made that change: it blocks, and is not held against the worker. */
  readonly breach_stray?: true;
  /** Why its worker is ended before its end: the budget of the plan. */
  readonly over_budget: { readonly reason: string; readonly budgets: number } | null;
  readonly timed_out: TimedOut | null;
  readonly late_result: LateResult | null;
  readonly stop_requested: HumanDecision | null;
  /** The observation after the verify commands; null when none ran, or it failed. */
  readonly after_verify: AfterVerify | null;
  /** The launch whose waiting work was put into the workspace, or why it was not. Absent: it was not tried. */
  readonly landing?: {
    readonly launch_id: string;
    readonly failure: AttemptFailure | null;
    /** Sequence number of the event. */
    readonly seq: number;
  };
  /** What its layer took in of other tasks, oldest first. Absent: nothing. */
  readonly merged?: readonly Merged[];
  /** Why its changes, or those of its verify commands, could not be read. */
  readonly unread: string | null;
  /** Reactions to denials, oldest first. */
  readonly recoveries: readonly Recovery[];
  /** What kept a further launch of the worker from running; null: nothing did. */
  readonly unlaunched: AttemptFailure | null;
  readonly grants: readonly Grant[];
  /** What people had answered when it began. */
  readonly answers: readonly Answer[];
  /** Why it began without a decision after an earlier one that passed; absent: it did not. */
  readonly because?: string;
  /** Digest of the files that a validation is about, as last read; absent: the attempt validates nothing. */
  readonly tree?: string;
  /** The same before anything validated; absent: it validates nothing. */
  readonly tree_before?: string;
  /** Set once verification asked for a person (phase 7); absent before. */
  readonly intervention?: Intervention;
  /** Set once something is proposed to be remembered (phase 9); absent before. */
  readonly memory?: MemoryWait;
}

/** Entries that a person decides about, after their attempt was verified and sealed. */
export interface MemoryWait {
  readonly proposed_at: string;
  readonly entries: readonly ProposedMemory[];
  /** In the order of the entries; null until they are compared with what is remembered. */
  readonly standings: readonly MemoryStanding[] | null;
  /** Null until the person has decided. */
  readonly decided: MemoryDecision | null;
  /** Null until those that the person kept are written. */
  readonly saved: readonly SavedMemory[] | null;
}

export interface Intervention {
  readonly requested_at: string;
  /** What is incomplete, one item each. */
  readonly missing: readonly string[];
  /** Name of the run directory with the packet to be completed and the observation afterwards. */
  readonly run_dir: string;
  /** The packet, relative to the workspace root; null until it is written. */
  readonly path: string | null;
  /** The claim as the worker had left it. */
  readonly claimed: Claim;
  /** Null until the person is done. */
  readonly decision: HumanDecision | null;
}

export type AfterVerify = Readonly<Omit<MissionEvents['VerifyObserved'], 'task_id' | keyof SeenAtEnd>>;

export interface Validated {
  /** The attempt that made it. */
  readonly attempt: number;
  readonly launch: Launch;
  /** Name of the run directory that has its baseline. */
  readonly run_dir: string;
  /** It came after the attempt was ended, or before its deadline, so the end of its process is not judged. */
  readonly late: boolean;
}

export interface EndedAttempt extends AttemptRecord {
  readonly ended_at: string;
  readonly ended_seq: number;
  readonly outcome: DriverOutcome;
  readonly failure: AttemptFailure | null;
}

export interface Launch extends Readonly<Omit<MissionEvents['LaunchRequested'], keyof OfAttempt>> {
  readonly requested_at: string;
  readonly prepared: PreparedLaunch | null;
  readonly process: ProcessRecord | null;
  readonly worker_session_id: string | null;
  /** What it has used so far; absent: its CLI reports that at the end. */
  readonly usage_seen?: UsageFacts;
  /** It finished and was then silent for so long, so the supervisor ends it; absent: it did not linger. */
  readonly lingered?: { readonly quiet_seconds: number };
  readonly end: LaunchEnd | null;
  readonly modes?: readonly ModeChange[];
  /** The number of its invocation record; absent: it has no record. */
  readonly call_index?: number;
}

/** What the live attempt waits for. */
export type Stage =
  /** The plan file is to be read. `then`: the stage that goes on with the approved plan; absent: the attempt begins. */
  | { readonly at: 'plan_hash'; readonly then?: AfterPlan }
  /** The plan file is gone or has other bytes: the mission is paused, and a resume reads it once more. */
  | { readonly at: 'plan_waits'; readonly then?: AfterPlan }
  /** `since`: sequence number of the event after which the baseline may be taken. */
  | { readonly at: 'baseline'; readonly since: number }
  /** Ready to request the next launch: the worker, or verify command `index`. */
  | { readonly at: 'launch'; readonly purpose: LaunchPurpose }
  | { readonly at: 'preparing'; readonly launch_id: string; readonly purpose: LaunchPurpose }
  | { readonly at: 'starting'; readonly launch_id: string; readonly purpose: LaunchPurpose }
  | { readonly at: 'running'; readonly launch_id: string; readonly purpose: LaunchPurpose }
  /** Ready to request a further launch of the worker. */
  | { readonly at: 'relaunch'; readonly adjustment: LaunchAdjustment }
  /** `since`: sequence number of the event after which no process of the lane writes. */
  | { readonly at: 'observing'; readonly since: number; readonly after: 'worker' }
  /** `since`: as above, of the person's decision. */
  | { readonly at: 'observing'; readonly since: number; readonly after: 'intervention' }
  /** A person completes the result (phase 7); nothing runs. */
  | { readonly at: 'intervention'; readonly failure: AttemptFailure }
  /** Sealed; a person decides about what is proposed to be remembered (phase 9). Nothing runs. */
  | { readonly at: 'memory' }
  /** `failure`: what kept a verify command from running. */
  | {
      readonly at: 'observing';
      readonly since: number;
      readonly after: 'verify';
      readonly failure: AttemptFailure | null;
    }
  /** Verified; what waits of its work is put into the workspace. */
  | { readonly at: 'landing'; readonly launch_id: string; readonly merges?: true }
  /** Every process has ended; the verdict is due. */
  | { readonly at: 'judging'; readonly failure: AttemptFailure | null };

/** Where an attempt may wait for the approved plan: before a launch, and before its verdict. */
export type AfterPlan = Extract<Stage, { readonly at: 'launch' | 'preparing' | 'judging' }>;

export interface Attempt extends AttemptRecord {
  readonly stage: Stage;
  /** Its records in the audit log so far. Not as text, because only a seal needs that. */
  readonly audit: readonly { readonly at: string; readonly event: MissionEvent }[];
}

/** The launch of an attempt that ended without proof that its processes are gone. */
export function unprovenLaunch(attempt: Pick<AttemptRecord, 'launches'>): Launch | undefined {
  return attempt.launches.findLast((launch) => launch.end !== null && !launch.end.tree_gone);
}

export function currentLaunch({ stage, launches }: Attempt): Launch | undefined {
  return 'launch_id' in stage ? launches.find(({ launch_id }) => launch_id === stage.launch_id) : undefined;
}

export function endedUnstopped({ reason, did_not_exit }: Pick<LaunchEnd, 'reason' | 'did_not_exit'>): boolean {
  return reason === 'exited' || did_not_exit !== undefined;
}

export function startedNothing({ reason }: Pick<LaunchEnd, 'reason'>): boolean {
  return reason === 'expired' || reason === 'revoked' || reason === 'spawn_failed';
}
