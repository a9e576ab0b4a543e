import { commands as vscodeCommands, workspace } from 'vscode';
import { checkPlan } from '../../engine/planCheck';
import type { Composition } from '../compose';
import { choosePlan, openDocument } from '../planUris';
import { commands } from '../registry';
import { ui } from '../../core/text/ui';
import { inform, warn } from '../ui';

/** Says in one sentence whether a plan is valid; the findings stand in the Problems panel. */
export async function validatePlan({ plans, planWork, settings }: Composition, argument?: unknown): Promise<void> {
  const uri = await choosePlan(argument, commands.validatePlan.title);
  if (!uri) return;
  const folder = workspace.getWorkspaceFolder(uri);
  const options = { defaultWorker: settings.defaultWorker(), ...(folder && { workspaceDir: folder.uri.fsPath }) };
  const document = openDocument(uri);
  const text = document?.getText();
  const { findings, plan_sha256 } =
    text === undefined
      ? await checkPlan(plans, uri.fsPath, options)
      : { findings: await planWork.findings(uri.fsPath, text, options), plan_sha256: plans.parse(text).sha256 };
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const others = findings.length - errors;
  const name = workspace.asRelativePath(uri);
  if (findings.length > 0) await vscodeCommands.executeCommand('workbench.actions.view.problems');
  if (errors > 0)
    void warn(
      ui`${name} is not valid: ${count(errors, 'error')}${others > 0 ? ` and ${count(others, 'note')}` : ''} in the Problems panel.`,
    );
  else
    void inform(
      ui`${name} is valid${others > 0 ? `, with ${count(others, 'note')} in the Problems panel` : ''}. Hash ${plan_sha256?.slice(0, 12) ?? 'unknown'}.`,
    );
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
