import type { MissionView } from '../../contracts/missionView';
import { ui, type UiText } from '../../base/text/ui';
import { folderName } from '../window/folderName';
import type { MissionFolder } from './types';

/** A mission with the folder that it is in: a folder and its copy have missions of the same ids. */
export interface MissionHere extends MissionView {
  /** URI of its workspace folder. */
  readonly folder: string;
  /** What a person tells that folder by; null: the window has no other one. */
  readonly workspace: string | null;
}

/** Says where something lies, for a sentence about it: ` in app`; empty where the window has no other folder. */
export function inFolder(workspace: string | null): UiText {
  return workspace === null ? ui`` : ui` in ${workspace}`;
}

/** Says what a sentence calls a mission: its plan, and its folder where the window has another one. */
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

/** Says what a person tells a folder by; null: the window has no other one. */
export function workspaceOf(folder: MissionFolder['folder'], all: readonly MissionFolder[]): string | null {
  return all.length > 1
    ? folderName(
        folder,
        all.map((one) => one.folder),
      )
    : null;
}
