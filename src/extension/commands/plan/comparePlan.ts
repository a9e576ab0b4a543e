import path from 'node:path';
import { commands as vscodeCommands, workspace } from 'vscode';
import { placeInside } from '../../../adapters/files/inside';
import { ui } from '../../../base/text/marked/ui';
import { evidenceNames, executionsDir } from '../../../contracts/vocabulary/files/evidenceFiles';
import type { Composition } from '../../compose';
import type { MissionFolder } from '../../folder/types';
import { newestMission } from '../../editor/planLines';
import { choosePlan } from '../../plans/uris';
import { commands } from '../../registry/registry';
import { inform, warn } from '../../window/ui';
import { stateOfPlans } from './planState';

/** Shows the locked plan of a mission beside the present one. The locked one cannot be edited there. */
export async function comparePlan(composition: Composition, argument?: unknown): Promise<void> {
  const { title } = commands.compareWithLockedPlan;
  const uri = await choosePlan(argument, title, stateOfPlans(composition));
  const folder = uri && composition.folders.of(uri.fsPath);
  if (!folder) return;
  const name = path.basename(uri.fsPath);
  const mission = newestMission(folder.view?.missions ?? [], workspace.asRelativePath(uri, false));
  const dir = mission?.evidence_dir ?? `${executionsDir}/${name.replace(/^PLAN_|\.json$/g, '')}`;
  const locked = await lockedText(composition, folder, `${dir}/${evidenceNames.lockedPlan}`);
  if (!locked) return void inform(ui`No mission locked ${name} yet, so there is nothing to compare it with.`);
  if (typeof locked === 'string') return void warn(ui`${locked}`);
  const isEvidence = mission?.plan_sha256 === locked.sha256;
  if (mission && !isEvidence)
    void warn(
      ui`${dir}/${evidenceNames.lockedPlan} is not what mission ${mission.mission_id} locked; it was changed since.`,
    );
  const what = isEvidence ? 'locked by its mission' : 'in the evidence';
  const left = composition.pages.hold(name, locked.text);
  await vscodeCommands.executeCommand('vscode.diff', left, uri, ui`${name}: ${what} ↔ now`.toString());
}

/** Null: no plan was locked. A text: the reason why it is not shown. */
async function lockedText(
  { plans }: Composition,
  { folder }: MissionFolder,
  file: string,
): Promise<{ readonly text: string; readonly sha256: string } | string | null> {
  const place = await placeInside(folder.uri.fsPath, file);
  if (place === 'gone') return null;
  if (place === 'outside') return `${file} leads out of the workspace, so it is not opened.`;
  const { bytes, sha256, findings } = await plans.read(place.path);
  if (bytes === null || sha256 === null) return `${file} cannot be opened: ${findings[0]?.message ?? 'it is no plan'}`;
  return { text: new TextDecoder().decode(bytes), sha256 };
}
