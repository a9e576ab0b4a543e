import type { Event, WorkspaceFolder } from 'vscode';
import type { MissionControlView, MissionView } from '../../contracts/page/missionView';
import type { ApprovalVerdict } from '../../core/plan/approvalRecord';
import type { AskedPlan } from '../../engine/plans/approvals';
import type { Actor } from '../../contracts/vocabulary/actors';
import type { ApprovedFile, MissionCommand } from '../../contracts/commands/missionCommand';
import type { CommandAnswer } from '../../core/model/sessionFacts';
import type { Mission } from '../../core/model/state';
import type { LiveFacts } from '../../core/view/mission/missionView';
import type { EventRange, ReadMission, ReadMissions } from '../../engine/views/reader';
import type { MissionSources } from '../../engine/mission/carried';
import type { HandoffCheck } from '../../engine/handoff/checks';
import type { ResumeRequest } from '../../engine/handoff/reading';
import path from 'node:path';
import { ui, type UiText } from '../../base/text/marked/ui';
import { folderName } from '../window/folderName';
import { together, type Contribution } from '../registry/registry';

/** The answer to a command or a start: accepted, or the failed condition with the next valid steps. */
export type Answer = CommandAnswer;

export interface RunAnswer extends Answer {
  /** The mission that has begun; absent: no mission has. */
  readonly mission_id?: string;
}

/** A plan whose approval is looked for. `plan_file`: absolute. */
export interface ApprovedBytes extends Omit<AskedPlan, 'plan_path'> {
  readonly plan_file: string;
  readonly risk_level: number;
}

/** Entries that the owner in this window appended to the journal. */
export type Appended = ReadMission;

/** Result of a handoff export. `bundle`: its bundle.json, POSIX, relative to the folder; null: there is no bundle. */
export interface HandoffExport {
  readonly answer: Answer;
  readonly bundle: string | null;
}

export interface HandoffResumption {
  readonly answer: Answer;
  readonly checks: readonly HandoffCheck[];
  readonly notes: readonly string[];
  readonly plan_id: string | null;
  /** What the handoff holds and this folder lacks. */
  readonly lacks: 'plan' | 'outputs' | null;
}

/**
 * The missions of one workspace folder, for every part of the extension. Owns the lease only while a mission runs here;
 * otherwise it views, and sends commands to the owner's inbox. Views and commands depend on this interface;
 * `service.ts` implements it.
 */
export interface MissionFolder {
  readonly folder: WorkspaceFolder;
  /** This window owns the missions now; snapshots show it a moment later. */
  readonly isOwner: boolean;
  /** The latest complete snapshot; null before the first read. */
  readonly view: MissionControlView | null;
  readonly onDidChangeView: Event<MissionControlView>;
  /** The missions of the latest snapshot in the form of the journal; empty before the first. */
  readonly read: ReadMissions;
  /** Returns what the run directories report about workers under way, by launch id. */
  liveOf(mission: Mission): Promise<ReadonlyMap<string, LiveFacts>>;
  /** Events by number, from 1, the oldest first; null: there is no journal. */
  eventsOf(mission: Mission, from: number, count: number): Promise<EventRange | null>;
  /** Fires while this window owns the missions. */
  readonly onDidAppend: Event<Appended>;
  /** Says whether these bytes were approved here, and whether that counts now; null: this folder has no journal. */
  approvalOf(plan: ApprovedBytes): Promise<ApprovalVerdict | null>;
  /** All missions of this folder, and where their tasks are looked up; empty without a journal. */
  missionSources(): Promise<MissionSources>;
  recordApproval(actor: Actor, approval: ApprovedFile, reason: string): Promise<Answer>;
  /**
   * Validates, takes the lease, and runs; resolves when the mission has begun or was refused. `planPath` is absolute.
   */
  run(actor: Actor, planPath: string): Promise<RunAnswer>;
  /** Sends a command to its owner: this window, or another process through its inbox. */
  command(actor: Actor, missionId: string, command: MissionCommand, reason: string): Promise<Answer>;
  /** Sends it like `command`; resolves when the handoff is written, or cannot be. */
  exportHandoff(actor: Actor, missionId: string, move: boolean, reason: string): Promise<HandoffExport>;
  /** Takes the lease and continues a run that was handed over, if its plan was approved here. */
  resumeHandoff(
    request: Omit<
      ResumeRequest,
      'default_worker' | 'require_approval_record' | 'approval_hours' | 'confinement' | 'agent_network' | 'orchestrator'
    >,
  ): Promise<HandoffResumption>;
  /** Reports a save of this window to the owner, here or elsewhere. `path` is absolute. */
  documentSaved(actor: Actor, path: string, sha256: string): Promise<void>;
  /** Makes the owner in this window look early at a changed path. `path` is absolute. */
  fileChanged(path: string): void;
  /** Says whether this window shows the notification; true in exactly one of the windows that ask. */
  notifyOnce(missionId: string, key: string): Promise<boolean>;
  refresh(): Promise<void>;
}

/** All workspace folders; a mission belongs to the folder of its plan. */
export interface MissionFolders {
  readonly all: readonly MissionFolder[];
  readonly onDidChange: Event<void>;
  /** The folder of a file. `path` is absolute. */
  of(path: string): MissionFolder | undefined;
}

/** A mission with its folder, because a folder and its copy have missions of the same ids. */
export interface MissionHere extends MissionView {
  /** URI of its workspace folder. */
  readonly folder: string;
  /** The folder's name for people; null: the window has only one folder. */
  readonly workspace: string | null;
}

/** The words that name a place in a sentence: ` in app`; empty: the window has only one folder. */
export function inFolder(workspace: string | null): UiText {
  return workspace === null ? ui`` : ui` in ${workspace}`;
}

export function missionName({ plan_id, workspace }: Pick<MissionHere, 'plan_id' | 'workspace'>): UiText {
  return ui`${plan_id}${inFolder(workspace)}`;
}

export function missionsHere(folders: readonly MissionFolder[]): readonly MissionHere[] {
  return folders.flatMap((folder) => missionsOf(folder, folders));
}

/** @param all folders of the window */
export function missionsOf({ folder, view }: MissionFolder, all: readonly MissionFolder[]): readonly MissionHere[] {
  const where = { folder: folder.uri.toString(), workspace: workspaceOf(folder, all) };
  return (view?.missions ?? []).map((mission) => ({ ...mission, ...where }));
}

/** A menu beside more files would cost more at every snapshot than it is worth. */
const menuFiles = 2000;

/** The newest mission that changed each file, by the file's path on this machine; at most so many of the newest. */
export function changedFiles(folders: readonly MissionFolder[]): ReadonlyMap<string, MissionHere> {
  const found = new Map<string, MissionHere>();
  const roots = new Map(folders.map(({ folder: { uri } }) => [uri.toString(), uri.fsPath]));
  for (const mission of missionsHere(folders).toSorted((one, two) => (one.started_at < two.started_at ? 1 : -1))) {
    const root = mission.runs_on === undefined ? roots.get(mission.folder) : undefined;
    if (root === undefined) continue;
    for (const file of mission.tasks.flatMap(({ changed }) => changed)) {
      if (found.size === menuFiles) return found;
      const place = path.join(root, ...file.split('/'));
      if (!found.has(place)) found.set(place, mission);
    }
  }
  return found;
}

/** The name of a folder for people; null: the window has only one folder. */
export function workspaceOf(folder: MissionFolder['folder'], all: readonly MissionFolder[]): string | null {
  return all.length > 1
    ? folderName(
        folder,
        all.map((one) => one.folder),
      )
    : null;
}

/** Calls back for every snapshot of every folder, including folders added later, and once at the start. */
export function followViews(folders: MissionFolders, onView: (folder: MissionFolder | null) => void): Contribution {
  let perFolder: readonly Contribution[] = [];
  const follow = (): void => {
    together(perFolder).dispose();
    perFolder = folders.all.map((folder) => folder.onDidChangeView(() => onView(folder)));
    onView(null);
  };
  const subscription = folders.onDidChange(follow);
  follow();
  return { dispose: () => together([subscription, ...perFolder]).dispose() };
}

/** Resolves with the first snapshot of which it holds, also with the present one. */
export async function untilView(folders: MissionFolders, holds: () => boolean): Promise<void> {
  let done = (): void => undefined;
  const seen = new Promise<void>((resolve) => {
    done = resolve;
  });
  const following = followViews(folders, () => {
    if (holds()) done();
  });
  await seen;
  following.dispose();
}

/** A part for each folder of the window: made when the folder comes, disposed when it goes. */
export class PerFolder<T extends Contribution> implements Contribution {
  readonly #parts = new Map<string, T>();
  readonly #subscription: Contribution;

  constructor(
    private readonly folders: MissionFolders,
    private readonly make: (folder: MissionFolder) => T,
  ) {
    this.#subscription = folders.onDidChange(() => this.#follow());
    this.#follow();
  }

  get all(): readonly T[] {
    return [...this.#parts.values()];
  }

  /** Undefined: the folder is no longer open. */
  of({ folder }: Pick<MissionFolder, 'folder'>): T | undefined {
    return this.#parts.get(folder.uri.toString());
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const part of this.all) part.dispose();
  }

  #follow(): void {
    const present = new Map(this.folders.all.map((folder) => [folder.folder.uri.toString(), folder]));
    for (const [key, part] of this.#parts) {
      if (present.has(key)) continue;
      part.dispose();
      this.#parts.delete(key);
    }
    for (const [key, folder] of present) if (!this.#parts.has(key)) this.#parts.set(key, this.make(folder));
  }
}
