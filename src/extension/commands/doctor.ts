import { version, workspace } from 'vscode';
import { doctorChecks } from '../../engine/doctor';
import type { DoctorCheck } from '../../engine/ports/doctorPorts';
import type { Composition } from '../compose';
import { doctorPage, type DoctorSection } from '../doctorPage';

/** What Mission Control needs on this machine, and what of it is there, as a page. Leaves nothing behind. */
export async function doctor(composition: Composition): Promise<void> {
  const { folders, pages, settings, toolVersion, workers, doctorPorts } = composition;
  const extraArgs = (worker: Parameters<typeof settings.worker>[0]): readonly string[] =>
    settings.worker(worker).extraArgs;
  const look = async (title: string, workspaceDir: string | null): Promise<DoctorSection> => ({
    title,
    checks: await doctorChecks({ workspaceDir, trusted: workspace.isTrusted, workers, extraArgs }, doctorPorts),
  });
  const sections = await (folders.all.length === 0
    ? Promise.all([look('This machine', null)])
    : Promise.all(folders.all.map(({ folder }) => look(folder.name, folder.uri.fsPath))));
  const content = doctorPage(toolVersion, [{ title: 'This window', checks: windowChecks() }, ...sections]);
  await pages.show('Mission Control Doctor.md', content);
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
