import { version, workspace } from 'vscode';
import { ui } from '../../base/text/ui';
import { doctorChecks } from '../../engine/views/doctor';
import type { DoctorCheck } from '../../engine/ports/doctor';
import type { Composition } from '../compose';
import { doctorPage, type DoctorSection } from '../pages/doctor';
import { ask, warn } from '../window/ui';

/** Shows the checks of this machine and each folder on a page, and offers repairs. */
export async function doctor(composition: Composition): Promise<void> {
  const { folders, pages, settings, toolVersion, workers, plans, doctorPorts } = composition;
  const extraArgs = (worker: Parameters<typeof settings.worker>[0]): readonly string[] =>
    settings.worker(worker).extraArgs;
  const look = async (title: string, workspaceDir: string | null): Promise<DoctorSection> => ({
    title,
    checks: await doctorChecks({ workspaceDir, trusted: workspace.isTrusted, workers, plans, extraArgs }, doctorPorts),
  });
  const sections = await (folders.all.length === 0
    ? Promise.all([look('This machine', null)])
    : Promise.all(folders.all.map(({ folder }) => look(folder.name, folder.uri.fsPath))));
  const content = doctorPage(toolVersion, [{ title: 'This window', checks: windowChecks() }, ...sections]);
  await pages.show('Mission Control Doctor.txt', content);
  if (workspace.isTrusted && (await repaired(sections.flatMap(({ checks }) => checks)))) await doctor(composition);
}

/** Offers each repair, as `mission doctor --repair` does. True when something was repaired. */
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
  for (const { id, detail, repair } of repairs) {
    const button = 'Repair';
    if ((await ask(ui`Repair ${id}?`, ui.lines([detail, '', ui`This will ${repair.explains}.`]), button)) !== button)
      continue;
    await repair.does();
    any = true;
  }
  return any;
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
