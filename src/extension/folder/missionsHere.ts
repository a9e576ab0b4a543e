import path from 'node:path';
import type { MissionView } from '../../contracts/page/missionView';
import { ui, type UiText } from '../../base/text/marked/ui';
import { folderName } from '../window/folderName';
import type { MissionFolder, MissionFolders } from './types';
import { together, type Contribution } from '../registry/contribution';

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
