import { version, window, workspace } from 'vscode';
import { leaseSupport } from '../../adapters/leaseSupport';
import { agentNames } from '../../contracts/vocabulary/workers';
import { agentWorkers } from '../../workers/registry';
import { versionStanding } from '../../workers/versions';
import type { Composition } from '../compose';

/** What Mission Control needs on this machine, and what of it is there, as a page. Changes nothing. */
export async function doctor(composition: Composition): Promise<void> {
  const checks = [...machineChecks(), ...(await folderChecks(composition)), ...(await workerChecks(composition))];
  const lines = checks.map(
    ({ id, ok, detail, fix }) =>
      `- ${ok ? 'ok' : '**attention**'} ${id}: ${detail}${ok || fix === '' ? '' : ` ${fix}`}`,
  );
  const page = ['# Mission Control: Doctor', '', `Mission Control ${composition.toolVersion}.`, '', ...lines, ''].join(
    '\n',
  );
  await window.showTextDocument(await workspace.openTextDocument({ language: 'markdown', content: page }), {
    preview: true,
  });
}

interface Check {
  readonly id: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly fix: string;
}

function machineChecks(): readonly Check[] {
  return [
    { id: 'VS Code', ok: true, detail: `version ${version}, Node ${process.versions.node}.`, fix: '' },
    {
      id: 'Workspace Trust',
      ok: workspace.isTrusted,
      detail: workspace.isTrusted
        ? 'this workspace is trusted.'
        : 'this workspace is not trusted; nothing is started here.',
      fix: 'Use Workspaces: Manage Workspace Trust.',
    },
  ];
}

async function folderChecks({ folders }: Composition): Promise<readonly Check[]> {
  return Promise.all(
    folders.all.map(async ({ folder, view }) => {
      const support = await leaseSupport(folder.uri.fsPath);
      const state =
        view === null || view.missions.length === 0
          ? 'no missions yet'
          : `${view.missions.length} mission(s), owner: ${view.owner}, ${view.unreadable.length} unreadable`;
      return support.ok
        ? {
            id: `folder ${folder.name}`,
            ok: view?.unreadable.length !== 0 ? view === null : true,
            detail: `${state}; its file system can hold the lease.`,
            fix: 'Look at the unreadable missions with `mission journal verify`.',
          }
        : {
            id: `folder ${folder.name}`,
            ok: false,
            detail: support.refusal.reason,
            fix: support.refusal.next.join(' '),
          };
    }),
  );
}

async function workerChecks({ workers }: Composition): Promise<readonly Check[]> {
  return Promise.all(
    agentNames.map(async (name) => {
      const found = await workers.resolve(name);
      if (!found.ok) return { id: name, ok: false, detail: found.refusal.reason, fix: found.refusal.next.join(' ') };
      const { executable, version: cli } = found.value;
      const standing = versionStanding(cli, agentWorkers[name].testedVersions);
      return {
        id: name,
        ok: standing === 'tested',
        detail: `${executable}, version ${cli ?? 'unknown'} (${standing === 'tested' ? 'in the tested range' : `${standing} than what was tested`}).`,
        fix: '',
      };
    }),
  );
}
