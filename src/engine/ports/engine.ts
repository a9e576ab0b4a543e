import type { SubagentResult } from '../../contracts/result';
import type { Place } from '../../core/evidence/facts';
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
import type { Inbox, Lease } from './ownership';
import type { Journal } from './journal';
import type { Launches } from './launches';
import type { PlanFiles } from './plans';
import type { Workspace } from './workspace';
import type { WorkerCatalog } from './workers';
import type { Outcome, Refusal } from '../../base/outcome';
import type { WorkspaceEvent } from './workspaceEvents';
import type { HandoffFiles } from './handoff';

/** Everything an engine reaches the world through. */
export interface EnginePorts {
  readonly journal: Journal<MissionEvent>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: Ids;
  readonly plans: PlanFiles;
  readonly workspace: Workspace;
  readonly launches: Launches;
  readonly workers: WorkerCatalog;
  readonly evidence: EvidenceFiles;
  readonly paths: MissionPaths;
  readonly claims: ClaimCheck;
  readonly handoffs: HandoffFiles;
  /** The name under which the journal keeps a file; absent: its own. Differs where the name holds a secret. */
  readonly storedName?: (path: string) => string;
  readonly approvals: Approvals;
  /** Why nothing can be recorded in the state folder now; null: it is there, and ours. Absent: nobody looks. */
  readonly stateTrouble?: () => Promise<Refusal | null>;
  /** Resolves when every save a person made here before is told: nobody is blamed for one. Absent: no editor is here. */
  readonly savesTold?: () => Promise<void>;
}

/** What this machine knows of approvals that a journal does not: whose they are, and which are used up. */
export interface Approvals {
  seal(approval: Pick<ApprovalRecord, 'plan_sha256' | 'by' | 'at'>): Promise<Outcome<SealedApproval>>;
  /** For each record whether its seal holds and which mission used it; null: one without a seal. */
  look(records: readonly (SealedApproval | null)[]): Promise<{
    readonly here: ApprovalQuestion['here'];
    readonly seals: readonly Pick<RecordedApproval, 'sealed' | 'used_by'>[];
  }>;
  /** Uses an approval up, once for ever; refused when another mission was faster. */
  use(nonce: string, missionId: string): Promise<Outcome<null>>;
}

/** Where things are. Relative paths are POSIX and relative to the workspace root. */
export interface MissionPaths {
  readonly workspace_dir: string;
  absolute(relativePath: string): string;
  /** `.mission-control/missions/<mission_id>/<name>`, relative. */
  missionFile(missionId: string, name: string): string;
  /** Absolute path of a run directory. */
  runDir(missionId: string, name: string): string;
  /** Absolute places of this machine and the names evidence uses for them. */
  readonly places: readonly Place[];
  /** How paths compare here, for judging what a worker's stream reports. */
  readonly scope: Pick<LiveScope, 'roots' | 'form' | 'comparison'>;
  /** Folders of ours that lie in the workspace (programs, the key of approvals), relative: no task may write there. */
  readonly own: readonly string[];
  /** Turns a path a worker reported (absolute or relative, platform form) into a relative POSIX path; null when outside. */
  relative(reported: string): string | null;
}

/** Validates a claimed result packet against `subagent_result_v1`. */
export interface ClaimCheck {
  /** What is wrong with the shape of an assignment packet. */
  assignmentShape(value: unknown): readonly Finding[];
  /** Text of a worklog, absolute path; null when there is none that could be read. */
  worklog(path: string): Promise<string | null>;
  /** JSON Schema for the CLI's structured output. */
  readonly schema: object;
  validate(
    value: unknown,
  ):
    | { readonly ok: true; readonly result: SubagentResult }
    | { readonly ok: false; readonly problems: readonly string[] };
}

/** What the owner of a workspace's missions needs besides. */
export interface HostPorts extends EnginePorts {
  readonly lease: Lease;
  readonly inbox: Inbox;
  /** The streams of the workspace: the same journal. */
  readonly records: Journal<WorkspaceEvent>;
}
