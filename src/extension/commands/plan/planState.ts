import { workspace, type Uri, commands as vscodeCommands } from 'vscode';
import { planState, isSoundDraft } from '../../../core/view/plan/editorFindings';
import { missionWord } from '../../../base/text/words';
import type { Composition } from '../../compose';
import { newestMission } from '../../editor/planLines';
import path from 'node:path';
import { placeInside } from '../../../adapters/files/inside';
import { findingsInEditor } from '../../../engine/plans/check';
import { ui } from '../../../base/text/marked/ui';
import { evidenceNames, executionsDir } from '../../../contracts/vocabulary/files/evidenceFiles';
import type { MissionFolder } from '../../folder/missionFolders';
import { choosePlan, openDocument, shownPath } from '../../plans/uris';
import { commands } from '../../registry/registry';
import { inform, warn } from '../../window/ui';

export function stateOfPlans({ folders, plans, settings }: Composition): (uri: Uri) => Promise<string> {
  return async (uri) => {
    const folder = folders.of(uri.fsPath);
    const workspaceDir = folder?.folder.uri.fsPath;
    const options = { defaultWorker: settings.defaultWorker(), ...(workspaceDir !== undefined && { workspaceDir }) };
    const state = planState(await findingsInEditor(plans, uri.fsPath, null, options));
    const newest = newestMission(folder?.view?.missions ?? [], workspace.asRelativePath(uri, false));
    return newest === null ? state : `${state}, mission ${missionWord(newest)}`;
  };
}

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

/** The Problems panel has the findings. */
export async function validatePlan(composition: Composition, argument?: unknown): Promise<void> {
  const { plans, settings } = composition;
  const uri = await choosePlan(argument, commands.validatePlan.title, stateOfPlans(composition));
  if (!uri) return;
  const folder = workspace.getWorkspaceFolder(uri);
  const options = {
    defaultWorker: settings.defaultWorker(),
    looksAtProject: true,
    ...(folder && { workspaceDir: folder.uri.fsPath }),
  };
  const document = openDocument(uri);
  const text = document?.getText();
  const findings = await findingsInEditor(plans, uri.fsPath, text ?? null, options);
  const { sha256 } = text === undefined ? await plans.read(uri.fsPath) : plans.parse(text);
  const hash = sha256?.slice(0, 12) ?? 'unknown';
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const others = findings.length - errors;
  const notes = others > 0 ? count(others, 'note') : '';
  const name = shownPath(uri);
  if (findings.length > 0) await vscodeCommands.executeCommand('workbench.actions.view.problems');
  if (errors > 0)
    void warn(
      ui`${name} is not valid: ${count(errors, 'error')}${others > 0 ? ` and ${notes}` : ''} in the Problems panel.`,
    );
  else if (isSoundDraft(findings))
    void inform(ui`${name} is a draft that lacks nothing but its approval. Hash ${hash}.`);
  else void inform(ui`${name} is valid${others > 0 ? `, with ${notes} in the Problems panel` : ''}. Hash ${hash}.`);
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
