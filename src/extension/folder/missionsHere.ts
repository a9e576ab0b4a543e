import type { MissionView } from '../../contracts/page/missionView';
import { ui, type UiText } from '../../base/text/marked/ui';
import { folderName } from '../window/folderName';
import type { MissionFolder, MissionFolders } from './types';
import type { Contribution } from '../registry/contribution';

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

/** The words that name a mission: its plan, and its folder if the window has another one. */
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
    for (const subscription of perFolder) subscription.dispose();
    perFolder = folders.all.map((folder) => folder.onDidChangeView(() => onView(folder)));
    onView(null);
  };
  const subscription = folders.onDidChange(follow);
  follow();
  return {
    dispose() {
      subscription.dispose();
      for (const each of perFolder) each.dispose();
    },
  };
}
