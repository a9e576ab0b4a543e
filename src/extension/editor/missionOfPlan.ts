import { workspace, type Uri } from 'vscode';
import { missionsOf, type MissionHere } from '../folder/missionsHere';
import type { MissionFolders } from '../folder/types';
import { newestMission, type PlanLine } from './planLines';

/**
 * Returns the newest mission of this plan in the plan's own folder. It looks only there because a
 * copy of the folder has the same plan and mission.
 */
export function missionOfPlan(folders: MissionFolders, uri: Uri): MissionHere | null {
  const folder = folders.of(uri.fsPath);
  return folder ? newestMission(missionsOf(folder, folders.all), workspace.asRelativePath(uri, false)) : null;
}

/** Returns the target of a command called on a plan: the mission if it is shown, else the plan. */
export function calledFrom(
  uri: Uri,
  does: NonNullable<PlanLine['does']>,
  mission: MissionHere | null,
): readonly [unknown] {
  return does === 'show' && mission ? [{ folder: mission.folder, missionId: mission.mission_id }] : [uri];
}
