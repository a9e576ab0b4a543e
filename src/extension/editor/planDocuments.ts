import { Range, type DocumentFilter, type TextDocument, workspace, type Uri } from 'vscode';
import type { Place } from '../../adapters/documents/planPlaces';
import { planGlob } from '../registry/registry';
import { missionsOf, type MissionHere, type MissionFolders } from '../folder/missionFolders';
import { newestMission, type PlanStep } from './planLines';

export const planDocuments: DocumentFilter = { language: 'json', scheme: 'file', pattern: `**/${planGlob}` };

/** Characters; a larger plan is judged as well, but not at every key. */
const readUpTo = 1 << 20;

export function textOf(document: TextDocument): string | null {
  const text = document.getText();
  return text.length > readUpTo ? null : text;
}

export function rangeOf(document: TextDocument, { offset, length }: Place): Range {
  return new Range(document.positionAt(offset), document.positionAt(offset + length));
}

/** Looks in the plan's own folder alone, because a copy of it has the same plan and mission. */
export function missionOfPlan(folders: MissionFolders, uri: Uri): MissionHere | null {
  const folder = folders.of(uri.fsPath);
  return folder ? newestMission(missionsOf(folder, folders.all), workspace.asRelativePath(uri, false)) : null;
}

export function calledFrom(uri: Uri, does: PlanStep, mission: MissionHere | null): readonly [unknown] {
  return does === 'showMissionControl' && mission ? [{ folder: mission.folder, missionId: mission.mission_id }] : [uri];
}
