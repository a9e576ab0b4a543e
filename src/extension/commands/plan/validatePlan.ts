import { commands as vscodeCommands, workspace } from 'vscode';
import { isSoundDraft } from '../../../core/view/plan/editorFindings';
import type { Composition } from '../../compose';
import { stateOfPlans } from './planState';
import { choosePlan, openDocument, shownPath } from '../../plans/uris';
import { commands } from '../../registry/registry';
import { ui } from '../../../base/text/marked/ui';
import { inform, warn } from '../../window/ui';

/** The Problems panel has the findings. */
export async function validatePlan(composition: Composition, argument?: unknown): Promise<void> {
  const { plans, planWork, settings } = composition;
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
  const findings = await planWork.findings(uri.fsPath, text ?? null, options);
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
