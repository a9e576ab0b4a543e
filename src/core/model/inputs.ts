import type { Surroundings } from '../recovery/permission/grantProblem';
import type { AttemptContext } from '../../contracts/taskEvidence';
import type { Actor } from '../../contracts/vocabulary/actors';
import type { MissionCommand } from '../../contracts/commands/missionCommand';
import type { EventOf, MissionEvent } from './events';
import type { CarriedTask } from './carried';
import type { HandoffImport } from './handoffFacts';
import type { PlanRead } from '../plan/mismatch';
import type { PathComparison } from '../paths/compare';
import type { RanBeside } from '../observation/assignChangesToLanes';
import type { RawChange } from '../observation/change';
import type { MakerSign } from '../observation/likelyMakers';
import type { PathStanding } from '../observation/pathState';
import type { Claim, LaunchEnd, RecoveryFacts } from './facts';
import type { SessionAsk } from './sessionFacts';
import type { Outcome, Refusal } from '../../base/outcome';
import type { Remembered } from '../memory/rememberedValue';

/** The input of one step: a reported fact or a command, with time and randomness as data. */
export interface Input {
  /** ISO-8601 UTC. */
  readonly at: string;
  readonly actor: Actor;
  /** Random ids for at most one launch. */
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
  /** False: it is ending, or a pause was requested already. */
  readonly pausable: boolean;
  /** What of it is open although no engine drives it; absent: one does. */
  readonly interrupted?: 'attempt' | 'session';
  /** False: a person cancels it already. */
  readonly cancelable?: boolean;
  /** Tasks whose results a person completes, where nothing else of it runs. */
  readonly incomplete?: readonly string[];
  /** Tasks whose proposed memory a person decides about, where nothing else of it runs. */
  readonly proposing?: readonly string[];
  /** Tasks that wait until the approved plan is back, where nothing else of it runs. */
  readonly without_plan?: readonly string[];
  /** Its paths that the other mission may write too, where it only waits for a person. */
  readonly keeps?: readonly string[];
}

export interface Command {
  readonly type: 'Command';
  /** Identifies the command for ever: a repeated id has no second effect. */
  readonly command_id: string;
  readonly command: MissionCommand;
  readonly reason: string;
  /** The sequence number the sender saw; null when it does not matter. */
  readonly expected_seq: number | null;
  /** True when the sender runs inside a worker's process tree: the sender is then not a person. */
  readonly from_worker: boolean;
  /** False when the owner could not find the process that sent it. */
  readonly identified: boolean;
  /** True when no process ran the mission before this command: `resume` then continues it. */
  readonly owner_was_absent: boolean;
  /** Another mission of this workspace that has a live attempt, or null. */
  readonly active_elsewhere: ActiveMission | null;
  /** The mission that goes on here with the run that this mission gave away. Absent or null: none. */
  readonly came_back_as?: string | null;
  /** Why nothing of this user starts on this machine; absent or null: it may. */
  readonly starts_held?: Refusal | null;
  /** Absolute; what a grant names is compared with it. */
  readonly workspace_dir?: string;
  /** Absolute, too: the person's home; null: the person has no home. */
  readonly home_dir?: string | null;
  /** To be mended first: an effect that failed, again when tried for this command, or why nothing can be recorded. */
  readonly stuck?: Refusal | null;
  /** The packet of a task whose result a person completed, or why it does not count. Absent: another command. */
  readonly completed?: CompletedResult;
  /** What is remembered now, for a person's decision about it, or why it cannot be read. Absent: another command. */
  readonly remembered?: Outcome<readonly Remembered[]>;
  /** The plan file, for a command that ends a pause. Absent: another command, or no pause. */
  readonly plan?: PlanRead;
  /** What the workspace knows of the plan that would supersede this one. Absent: another command. */
  readonly revision?: {
    /** Its bytes were approved here. */
    readonly approved: boolean;
    /** Missions ran here by the plan that superseded this one before; the newest first. */
    readonly ran: readonly string[];
  };
  /** What an owner found that takes the mission over with this command; its recovery comes first. */
  readonly recovery?: RecoveryFacts | null;
}

/** The result packet that a person completed: read and validated like that of a worker. */
export type CompletedResult =
  | { readonly ok: true; readonly claim: Claim }
  | { readonly ok: false; readonly problems: readonly string[] };

export type Report = LaneReport | SessionReport | MissionReport;

/** A report with the fields of the event that journals it, except those that `decide` adds. */
type ReportOf<Name extends string, Event extends MissionEvent['type'], Added extends string = never> = {
  readonly type: Name;
} & Omit<EventOf<Event>, 'type' | Added>;

/** About a live attempt, named by its launch or by task and attempt; a person's save is about all of them. */
export type LaneReport =
  /** `waits`: those of the attempt when the file was read. */
  | (ReportOf<'PlanHashWasRead', 'PlanHashChecked', 'matches'> & OfAttempt & { readonly waits?: number })
  | (ReportOf<'BaselineWasTaken', 'BaselineTaken'> &
      OfAttempt & {
        readonly standing?: readonly PathStanding[];
        /** Absent: a command, which has none. */
        readonly context?: AttemptContext;
        /** What became of ai.project.json in phase 2a; absent: that phase does not belong to the attempt. */
        readonly bootstrapped?: string;
        /** The model that this machine's settings name for the CLI of the task. */
        readonly configured_model?: string;
      })
  | (ReportOf<'BaselineFailed', 'BaselineImpossible'> & OfAttempt)
  /** `assembled`: phase 2 passed with this context, and phase 2a did not. */
  | (ReportOf<'ContextWasRefused', 'ContextRefused'> & OfAttempt & { readonly assembled?: AttemptContext | null })
  | ReportOf<'LaunchWasPrepared', 'LaunchPrepared'>
  | ReportOf<'LaunchWasImpossible', 'LaunchImpossible', 'worker'>
  /** The assignment packet was invalid, so nothing is launched. */
  | ReportOf<'AssignmentWasRefused', 'AssignmentRefused', 'task_id'>
  | ReportOf<'WorkerWasStarted', 'WorkerStarted'>
  | ReportOf<'WorkerSessionWasSeen', 'WorkerSessionSeen'>
  | ReportOf<'UsageWasSeen', 'UsageSeen'>
  | ReportOf<'OutOfScopeWriteWasSeen', 'ScopeBreachSeen'>
  | ReportOf<'WorkerWentSilent', 'WorkerTimedOut', 'task_id'>
  | ReportOf<'WorkerStaysAfterItsEnd', 'WorkerLingered', 'task_id'>
  | ReportOf<'DocumentWasSaved', 'ExternalSaveRecorded'>
  /** The paths that the worker was denied are compared with its surroundings. */
  | (ReportOf<'WorkerHasEnded', 'WorkerEnded'> & Surroundings)
  | ReportOf<'WorkHasLanded', 'WorkLanded'>
  | ReportOf<'WorkCouldNotLand', 'WorkNotLanded'>
  | (ReportOf<'ChangesWereRead', 'VerifyObserved', 'changes'> &
      OfAttempt & {
        /** Absent: after the worker. */
        readonly after?: 'verify' | 'intervention';
        /** How the changes on the list of the task stand, and those since the worker was judged. */
        readonly standing?: readonly PathStanding[];
        readonly changes: readonly RawChange[];
        readonly signs?: readonly MakerSign[];
        readonly earlier?: readonly string[];
        /** What other missions ran and wrote, while this one waited for a person. Absent: nothing. */
        readonly others?: RanBeside;
        /** How paths compare on this file system. */
        readonly comparison: PathComparison;
      })
  | (ReportOf<'ChangesCouldNotBeRead', 'ObservationFailed'> &
      OfAttempt & { readonly after?: 'verify' | 'intervention' })
  | ReportOf<'InterventionWasOffered', 'InterventionOffered'>
  | (ReportOf<'MemoryWasRead', 'MemoryCompared', 'standings'> & { readonly remembered: readonly Remembered[] })
  | ReportOf<'MemoryWasSaved', 'MemorySaved'>
  | ReportOf<'VerifyHasEnded', 'VerifyEnded'>;

interface OfAttempt {
  readonly attempt: number;
}

export type SessionReport =
  | ReportOf<'OrchestratorWasPrepared', 'OrchestratorPrepared'>
  | ReportOf<'OrchestratorWasUnavailable', 'OrchestratorUnavailable', 'packet_id' | 'task_id'>
  | ReportOf<'OrchestratorWasStarted', 'OrchestratorStarted'>
  | ReportOf<'OrchestratorUsageWasSeen', 'OrchestratorUsageSeen'>
  /** It is to be ended before it ends by itself. */
  | ReportOf<'OrchestratorMustEnd', 'OrchestratorStopRequested'>
  | {
      readonly type: 'OrchestratorHasAsked';
      readonly launch_id: string;
      readonly request_id: string;
      readonly ask: SessionAsk;
    }
  | {
      readonly type: 'OrchestratorHasEnded';
      readonly launch_id: string;
      readonly end: LaunchEnd;
      /** The workspace afterwards, or why the runner could not look. */
      readonly look:
        | {
            readonly changes: readonly RawChange[];
            readonly observed_sha256: string;
            readonly comparison: PathComparison;
          }
        | { readonly unread: string };
      /** Its CLI never started the server of the mission tools. */
      readonly without_tools?: boolean;
    };

export type MissionReport =
  | HandoffReport
  | (ReportOf<'PlanReceived', 'MissionReceived', 'started_by'> & {
      readonly warnings: readonly string[];
      /** The judged bundle of a run that began elsewhere; null: it begins here. */
      readonly handoff: HandoffImport | null;
      /** The tasks of a revision that are done already. */
      readonly carried: readonly CarriedTask[];
    })
  | ReportOf<'EffectHasFailed', 'EffectFailed'>
  | ReportOf<'ObstacleWasMoved', 'ObstacleMoved'>
  /** `recovery`: null when nothing was read. */
  | { readonly type: 'OwnerStarted'; readonly recovery?: RecoveryFacts | null }
  /** The time that a wait is for has come, as far as the clock says. */
  | { readonly type: 'TimeHasCome'; readonly wait: string }
  /** Evidence of an earlier execution lies where this one writes. */
  | ReportOf<'EarlierEvidenceWasFound', 'ArchiveBegun'>
  | ReportOf<'HeaderWasWritten', 'HeaderWritten'>
  /** A search for the processes of a launch that were not proven gone at its end. */
  | ReportOf<'TreeWasLookedFor', 'TreeLookedFor'>
  | ReportOf<'TreeWasRead', 'AcceptanceChecked', 'holds'>
  | ReportOf<'AttemptWasUndone', 'UndoEnded'>
  | ReportOf<'TaskEvidenceWasWritten', 'TaskEvidenceWritten', 'status'>
  | ReportOf<'PacketWasWritten', 'PacketWritten'>
  | ReportOf<'ReportWasWritten', 'MissionReported'>;

export type HandoffReport =
  | ReportOf<'HandoffWasWritten', 'HandoffWritten'>
  | ReportOf<'HandoffWasRefused', 'HandoffRefused'>;
