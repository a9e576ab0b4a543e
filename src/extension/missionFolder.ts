import type { Event, WorkspaceFolder } from 'vscode';
import type { MissionControlView } from '../contracts/missionView';
import type { MissionCommand } from '../core/mission/inputs';

/** What a person is told about a command or a start: accepted, or the failed condition and the next valid steps. */
export interface Answer {
  readonly accepted: boolean;
  readonly code: string;
  readonly reason: string;
  readonly next: readonly string[];
}

/**
 * The missions of one workspace folder, for every part of the extension. Owns the lease only while a
 * mission runs here; otherwise it views, and its commands go to the owner's inbox. Implemented in
 * `missionFolderService.ts`; views and diagnostics depend on this interface alone.
 */
export interface MissionFolder {
  readonly folder: WorkspaceFolder;
  /** The latest complete snapshot; null before the first read. */
  readonly view: MissionControlView | null;
  readonly onDidChangeView: Event<MissionControlView>;
  /** Validates, asks for approval where the journal has none, takes the lease, and runs. `planPath` is absolute. */
  run(planPath: string): Promise<Answer>;
  command(missionId: string, command: MissionCommand, reason: string): Promise<Answer>;
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
