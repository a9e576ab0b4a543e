import type { SubagentResult } from '../../contracts/result';
import type { ValidationReport } from '../../contracts/validationReport';
import type { Place } from '../../core/evidence/places';
import type { MissionEvent } from '../../core/model/events';
import type {
  ApprovalQuestion,
  ApprovalRecord,
  RecordedApproval,
  SealedApproval,
} from '../../core/plan/approvalRecord';
import type { Finding } from '../../core/documents/finding';
import type { LiveScope } from '../../core/observation/liveScope';
import type { Clock, Ids, Timers } from './time';
import type { EvidenceFiles } from './evidence';
import type { Folders, Directories } from './folders';
import type { Inbox, Lease } from './ownership';
import type { Journal } from './journal';
import type { Launches } from './launches';
import type { Makers, Workspace } from './workspace';
import type { OrchestratorSessions } from './orchestrator';
import type { PlanFiles } from './plans';
import type { DriverMemory } from './memory';
import type { DriverProject } from './project';
import type { Sandboxes } from './sandbox';
import type { WorkerCatalog } from './workers';
import type { Outcome, Refusal } from '../../base/outcome';
import type { WorkspaceEvent } from './workspaceEvents';
import type { HandoffFiles } from './handoff';

export interface EnginePorts {
  readonly journal: Journal<MissionEvent>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: Ids;
  readonly plans: PlanFiles;
  readonly workspace: Workspace;
  readonly launches: Launches;
  readonly workers: WorkerCatalog;
  readonly orchestrator: OrchestratorSessions;
  readonly sandboxes: Sandboxes;
  readonly folders: Folders;
  readonly project: DriverProject;
  readonly memory: DriverMemory;
  readonly evidence: EvidenceFiles;
  readonly paths: MissionPaths;
  readonly claims: ClaimCheck;
  readonly makers: Makers;
  readonly handoffs: HandoffFiles;
  readonly directories: Directories;
  /** Returns the name under which the journal stores a file; it differs if the name holds a secret. */
  readonly storedName: (path: string) => string;
  /** Returns kinds of the secrets in a text: what the journal leaves out; a passed value by its variable. */
  readonly secretsIn: (text: string) => readonly string[];
  readonly approvals: Approvals;
  /** Says why the state folder cannot be written now; null: it can. */
  readonly stateTrouble: () => Promise<Refusal | null>;
  /** Says why this user starts nothing on this machine; null: starts are allowed. */
  readonly startsHeld: () => Promise<Refusal | null>;
  /** Says why no mission of this folder is run by this process; null: it may be. */
  readonly claimed: () => Promise<Refusal | null>;
  /** The last time that a person stopped everything of this user on this machine; null: never. */
  readonly lastStop: () => Promise<{ readonly by: string; readonly reason: string; readonly at: string } | null>;
  /** Resolves when every earlier save of a person is reported; at once without an editor. */
  readonly savesReported: () => Promise<void>;
}

/** What this machine knows of approvals beyond the journal: where they were made and which are used up. */
export interface Approvals {
  seal(
    approval: Pick<ApprovalRecord, 'plan_sha256' | 'by' | 'at' | 'speaks_to' | 'instructions'>,
  ): Promise<Outcome<SealedApproval>>;
  /** For each record, says whether its seal holds and which mission used it; null: a record without a seal. */
  look(records: readonly (SealedApproval | null)[]): Promise<{
    readonly here: ApprovalQuestion['here'];
    readonly seals: readonly Pick<RecordedApproval, 'sealed' | 'used_by'>[];
  }>;
  /** Uses an approval up for ever; refused if another mission used it first. */
  use(nonce: string, missionId: string): Promise<Outcome<null>>;
}

/** Paths of a workspace. Relative ones are POSIX and relative to its root. */
export interface MissionPaths {
  readonly workspace_dir: string;
  absolute(relativePath: string): string;
  /** `.mission-control/missions/<mission_id>/<name>`, relative. */
  missionFile(missionId: string, name: string): string;
  /** Absolute path of a run directory. */
  runDir(missionId: string, name: string): string;
  /** Absolute places of this machine and their names in evidence. */
  readonly places: readonly Place[];
  /** How paths compare here, to judge what a worker's stream reports. */
  readonly scope: Pick<LiveScope, 'roots' | 'form' | 'comparison'>;
  /** Our own folders inside the workspace (programs, the key), relative: no task may write there. */
  readonly own: readonly string[];
  /** The relative POSIX path of a worker's path (absolute or relative, platform form); null when outside. */
  relative(reported: string): string | null;
}

/** Validates a claimed result packet against `subagent_result_v1`. */
export interface ClaimCheck {
  assignmentShape(value: unknown): readonly Finding[];
  /** Text of a worklog, by absolute path; null when it cannot be read. */
  worklog(path: string): Promise<string | null>;
  /** JSON Schema of the result packet, for the CLI's structured output. */
  readonly schema: object;
  /** The same for a task that may propose decisions to remember. */
  readonly remembering: object;
  /** The same for an agent that validates a milestone. */
  readonly report: object;
  validateReport(
    value: unknown,
  ):
    | { readonly ok: true; readonly report: ValidationReport }
    | { readonly ok: false; readonly problems: readonly string[] };
  validate(
    value: unknown,
  ):
    | { readonly ok: true; readonly result: SubagentResult }
    | { readonly ok: false; readonly problems: readonly string[] };
}

/** Ports that a mission needs to begin. */
export interface StartPorts extends EnginePorts {
  /** The workspace's streams of the same journal. */
  readonly records: Journal<WorkspaceEvent>;
}

/** Ports that the owner of a workspace's missions needs in addition. */
export interface HostPorts extends StartPorts {
  readonly lease: Lease;
  readonly inbox: Inbox;
}

export interface EngineOptions {
  readonly tool_version: string;
  /** Fencing number of the engine's lease. */
  readonly fence: number;
  /** Seconds that a launch ticket may wait for its supervisor. */
  readonly ticket_seconds: number;
  /** Seconds from the stop request to the kill. */
  readonly grace_seconds: number;
  /** Host and user names, which the evidence records; null or absent: a person did not ask for them. */
  readonly identity?: { readonly host: string; readonly user: string } | null;
}

export const launchTimes = { ticket_seconds: 60, grace_seconds: 10 } as const;
