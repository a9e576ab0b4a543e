import { commands as vscodeCommands, env, version, workspace } from 'vscode';
import { ui } from '../../base/text/marked/ui';
import { doctorChecks } from '../../engine/views/doctor';
import type { DoctorCheck } from '../../engine/ports/doctor';
import type { Composition } from '../compose';
import type { DoctorSection } from '../pages/doctor';
import type { Contribution } from '../registry/registry';
import { folderName } from '../window/folderName';
import { showRefusal } from './ask/targets';
import { ask, inform, openTerminal, warn } from '../window/ui';

export async function doctor(composition: Composition): Promise<void> {
  const { folders, doctorPages, settings, toolVersion, workers, plans, doctorPorts } = composition;
  const extraArgs = (worker: Parameters<typeof settings.worker>[0]): readonly string[] =>
    settings.worker(worker).extraArgs;
  const window = { trusted: workspace.isTrusted, defaultWorker: settings.defaultWorker() };
  const look = async (title: string, workspaceDir: string | null): Promise<DoctorSection> => ({
    title,
    checks: await doctorChecks({ workspaceDir, ...window, workers, plans, extraArgs }, doctorPorts),
  });
  // Looks again, because an agent may have been installed meanwhile.
  void composition.agentsHere.look();
  const all = folders.all.map(({ folder }) => folder);
  const sections = await (folders.all.length === 0
    ? Promise.all([look('This machine', null)])
    : Promise.all(
        folders.all.map(({ folder }) => look(`This machine and ${folderName(folder, all)}`, folder.uri.fsPath)),
      ));
  const shown = [{ title: 'This window', checks: windowChecks() }, ...sections];
  doctorPages.show(toolVersion, shown, window);
  if (workspace.isTrusted && (await repaired(sections.flatMap(({ checks }) => checks)))) await doctor(composition);
}

/** Shows an open page of the doctor again when a person trusts the folder, because it says that nothing starts. */
export function doctorAfterTrust(composition: Composition): Contribution {
  return workspace.onDidGrantWorkspaceTrust(() => {
    if (composition.doctorPages.isOpen) void doctor(composition);
  });
}

/** A command line is only written into a terminal, where the person presses Enter. */
export async function doctorRemedy(composition: Composition, argument: unknown): Promise<void> {
  const remedy = composition.doctorPages.remedyOf(argument);
  if (!remedy) return void inform(ui`The page of the doctor no longer offers that. Run Mission Control: Doctor again.`);
  switch (remedy.kind) {
    case 'setting': {
      // A setting of a remote machine is in that machine's tab.
      const tab = env.remoteName === undefined ? 'openSettings' : 'openRemoteSettings';
      await vscodeCommands.executeCommand(`workbench.action.${tab}`, { query: `@id:${remedy.id}` });
      return;
    }
    case 'trust':
      await vscodeCommands.executeCommand('workbench.trust.manage');
      return;
    case 'terminal': {
      const terminal = openTerminal({ name: ui`Mission Control: Doctor` });
      terminal.show();
      terminal.sendText(remedy.line, false);
      return;
    }
    case 'repair': {
      if (await isRepaired(remedy.check, remedy.repair)) await doctor(composition);
      return;
    }
  }
}

/** Offers each repair, as `mission doctor --repair` does. True when a person said yes to one. */
async function repaired(checks: readonly DoctorCheck[]): Promise<boolean> {
  const repairs = checks.flatMap(({ id, ok, detail, repair }) => (!ok && repair ? [{ id, detail, repair }] : []));
  if (repairs.length === 0) return false;
  const offer = 'Repair…';
  const names = ui.join(
    repairs.map(({ id }) => id),
    ', ',
  );
  if ((await warn(ui`Doctor: ${names} can be repaired.`, offer)) !== offer) return false;
  let any = false;
  for (const { repair, ...check } of repairs) if (await isRepaired(check, repair)) any = true;
  return any;
}

/** True when a person said yes. */
async function isRepaired(
  { id, detail }: Pick<DoctorCheck, 'id' | 'detail'>,
  repair: NonNullable<DoctorCheck['repair']>,
): Promise<boolean> {
  const button = 'Repair';
  const explained = ui.lines([detail, '', ui`This will ${repair.explains}.`]);
  if ((await ask(ui`Repair ${id}?`, explained, button)) !== button) return false;
  const outcome = await repair.does();
  if (!outcome.ok) void showRefusal(button, outcome.refusal);
  return true;
}

function windowChecks(): readonly DoctorCheck[] {
  return [
    { id: 'vscode', ok: true, required: true, detail: `VS Code ${version}`, fix: '' },
    {
      id: 'trust',
      ok: workspace.isTrusted,
      required: false,
      detail: workspace.isTrusted
        ? 'this workspace is trusted'
        : 'this workspace is not trusted; nothing is started here',
      fix: workspace.isTrusted ? '' : 'Use Workspaces: Manage Workspace Trust.',
    },
  ];
}
