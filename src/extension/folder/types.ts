import type { Event, WorkspaceFolder } from 'vscode';
import type { MissionControlView } from '../../contracts/missionView';
import type { ApprovalVerdict } from '../../core/plan/approvalRecord';
import type { Actor } from '../../contracts/vocabulary/actors';
import type { MissionEvent } from '../../core/model/events';
import type { ApprovedFile, MissionCommand } from '../../contracts/missionCommand';
import type { JournalEntry } from '../../core/model/journalEntry';
import type { Mission } from '../../core/model/state';
import type { HandoffCheck } from '../../engine/handoff/checks';
import type { ResumeRequest } from '../../engine/handoff/request';

/** What a person is told about a command or a start: accepted, or the failed condition and the next valid steps. */
export interface Answer {
  readonly accepted: boolean;
  readonly code: string;
  readonly reason: string;
  readonly next: readonly string[];
}

/** Bytes of a plan, and what they say of its risk. */
export interface ApprovedBytes {
  readonly plan_sha256: string;
  readonly risk_level: number;
}

/** Something the owner in this window appended to the journal. */
export interface Appended {
  readonly mission: Mission;
  readonly entries: readonly JournalEntry<MissionEvent>[];
}

/** What became of a handoff that was asked for. `bundle`: its bundle.json, POSIX, relative to the folder; null without one. */
export interface HandoffExport {
  readonly answer: Answer;
  readonly bundle: string | null;
}

/** What became of a handoff that was resumed: every item that was checked, and what was done besides. */
export interface HandoffResumption {
  readonly answer: Answer;
  readonly checks: readonly HandoffCheck[];
  readonly notes: readonly string[];
  readonly plan_id: string | null;
}

/**
 * The missions of one workspace folder, for every part of the extension. Owns the lease only while a
 * mission runs here; otherwise it views, and its commands go to the owner's inbox. Implemented in
 * `service.ts`; views and commands depend on this interface alone.
 */
export interface MissionFolder {
  readonly folder: WorkspaceFolder;
  /** Whether this window owns the missions right now; a snapshot says so a moment later. */
  readonly isOwner: boolean;
  /** The latest complete snapshot; null before the first read. */
  readonly view: MissionControlView | null;
  readonly onDidChangeView: Event<MissionControlView>;
  /** While this window owns the missions. */
  readonly onDidAppend: Event<Appended>;
  /** Whether a person approved exactly these bytes here, as far as that counts now; null: this folder has no journal. */
  approvalOf(plan: ApprovedBytes): Promise<ApprovalVerdict | null>;
  recordApproval(actor: Actor, approval: ApprovedFile, reason: string): Promise<Answer>;
  /** Validates, takes the lease, and runs; resolves when the mission has begun or was refused. `planPath` is absolute. */
  run(actor: Actor, planPath: string): Promise<Answer>;
  /** Decided by the owner: this window, or another process through its inbox. */
  command(actor: Actor, missionId: string, command: MissionCommand, reason: string): Promise<Answer>;
  /** Decided by the owner as `command`; resolves when the handoff lies there, or will not. */
  exportHandoff(actor: Actor, missionId: string, move: boolean, reason: string): Promise<HandoffExport>;
  /** Takes the lease and goes on with a run that was handed over, if a person approved its plan here. */
  resumeHandoff(
    request: Omit<ResumeRequest, 'default_worker' | 'require_approval_record' | 'approval_hours'>,
  ): Promise<HandoffResumption>;
  /** A file of the folder was saved in this window; the owner is told, here or elsewhere. `path` is absolute. */
  documentSaved(actor: Actor, path: string, sha256: string): Promise<void>;
  /** Something changed at this place, whoever did it; the owner in this window looks early. `path` is absolute. */
  fileChanged(path: string): void;
  /** Whether this window tells a person of it; true in one window of all that ask. */
  claimNews(missionId: string, key: string): Promise<boolean>;
  /** Reads the journal again now. */
  refresh(): Promise<void>;
}

/** All workspace folders; a mission belongs to the folder of its plan. */
export interface MissionFolders {
  readonly all: readonly MissionFolder[];
  readonly onDidChange: Event<void>;
  /** The folder a file belongs to. `path` is absolute. */
  of(path: string): MissionFolder | undefined;
}
