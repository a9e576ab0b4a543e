import assert from 'node:assert/strict';
import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { story } from './harness/story';
import { Trees } from './harness/trees';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import {
  approveAndRun,
  journalOf,
  makeMissionWorkspace,
  startMissionServer,
  waitForEvent,
  waitForStatus,
  type MissionWorkspace,
} from './missionWorkspace';

/** A habitat of its own: a folder and its copy, journal and all, in one window. Both have the same missions. */
describe('a folder and its copy in one window', () => {
  let workspace: MissionWorkspace;
  let copied: string;
  /** What distinguishes the first folder. */
  let original: string;
  let window: VscodeWindow;
  let trees: Trees;

  story(async () => {
    workspace = await makeMissionWorkspace('twin', ['build', 'ship']);
    const server = await startMissionServer(workspace, { userSettings: { 'editor.codeLens': true } });
    const alone = await server.openWindow();
    await approveAndRun(alone, workspace);
    await alone.terminals.waitForText('build · command (Mission twin)', 'Step started');
    await workspace.breakTask('build');
    // The last that a block writes: a window closed before it leaves the mission interrupted.
    await waitForEvent(workspace, 'HandoffWritten');
    await waitForStatus(alone, 'Mission twin blocked');
    await alone.close();
    // Its journal is put together when the last of them closes it.
    await server.waitForExtensionHosts(0);
    const scratch = path.dirname(workspace.workspaceDir);
    original = `${path.basename(scratch)}/workspace`;
    copied = path.join(scratch, 'copy', path.basename(workspace.workspaceDir));
    await cp(workspace.workspaceDir, copied, { recursive: true });
    const both = path.join(scratch, 'both.code-workspace');
    await writeFile(both, JSON.stringify({ folders: [{ path: workspace.workspaceDir }, { path: copied }] }));
    window = await server.openWindow(both);
    trees = new Trees(window.page);
    await window.command('View: Show Mission Control');
  });

  const typesOf = async (folder: string): Promise<readonly string[]> =>
    (await journalOf(folder)).map(({ event }) => event.type);
  /** Label and description of the entries of the quick pick that is open. */
  const entries = async (): Promise<readonly string[]> => {
    const rows = await window.page.locator('.quick-input-list .monaco-list-row .quick-input-list-row').allInnerTexts();
    return rows.map((row) => row.replaceAll(/\s+/g, ' ').trim());
  };

  it('has the mission twice in the views, each with its folder', async () => {
    await trees.waitFor('Needs You', 'build', / · twin · copy\/workspace$/);
    const places = (await trees.rows('Needs You')).map(({ description }) => description.split(' · ').at(-1));
    assert.deepEqual([...places].sort(), ['copy/workspace', original].sort());
    await window.screenshot('copied-folder-views');
  });

  it('is asked about where a command was called on nothing', async () => {
    await window.command('Mission Control: Cancel Mission');
    await waitFor(async () => (await entries()).filter((entry) => entry.includes('twin')).length === 2, {
      what: 'both missions',
    });
    assert.ok(
      (await entries()).some((entry) => entry.includes('copy/workspace')),
      (await entries()).join('; '),
    );
    await window.screenshot('copied-folder-question');
    await window.quickInput.dismiss();
  });

  it('has each plan in a list with its folder', async () => {
    await window.command('Mission Control: Validate Plan');
    const plans = await waitFor(
      async () => {
        const rows = (await entries()).filter((entry) => entry.includes('/docs/plans/'));
        return rows.length === 2 && rows;
      },
      { what: 'both plans' },
    );
    for (const folder of ['copy/workspace', original])
      assert.equal(plans.filter((plan) => plan.includes(`${folder}/docs/plans/`)).length, 1, plans.join('; '));
    await window.screenshot('copied-folder-plans');
    await window.quickInput.dismiss();
  });

  it('is shown from the line above the plan of the copy', async () => {
    const headOf = (folder: string): string => `.missionHead[data-vscode-context*="${folder}"]`;
    await window.command('Mission Control: Show Mission Control');
    const frame = await window.webviewFrame('Mission Control');
    // No mission was chosen.
    await frame.locator(headOf(original)).waitFor();
    await window.editor.open(path.join(copied, path.relative(workspace.workspaceDir, workspace.planPath)));
    await window.page.locator('.codelens-decoration a', { hasText: 'Mission blocked' }).first().click();
    const shown = await window.webviewFrame('Mission Control');
    await shown.locator(headOf('copy/workspace')).waitFor();
    await window.screenshot('copied-folder-shown');
  });

  it('takes a command called on the row of the copy in the copy alone', async () => {
    const before = await typesOf(workspace.workspaceDir);
    const menu = await trees.menuOn('Missions', 'twin', /copy\/workspace/);
    await window.screenshot('copied-folder-menu');
    await menu.choose('Cancel Mission');
    const { message } = await window.dialogs.answer('Cancel Mission');
    assert.equal(message, 'Cancel mission twin in copy/workspace?');
    await window.quickInput.asks(/in the evidence of mission twin in copy\/workspace\./);
    await window.quickInput.answer('Only the copy');
    await waitFor(async () => (await typesOf(copied)).includes('MissionReported'), { what: 'the end of the copy' });
    assert.deepEqual(await typesOf(workspace.workspaceDir), before);
    await trees.waitFor('Needs You', 'build', new RegExp(path.basename(path.dirname(workspace.workspaceDir))));
    await window.notifications.waitFor('Mission twin in copy/workspace canceled.');
  });

  it('has each file of evidence in a list with its folder', async () => {
    await window.command('Mission Control: Open Evidence');
    const files = await waitFor(
      async () => {
        const rows = (await entries()).filter((entry) => entry.includes('twin'));
        return rows.some((entry) => entry.includes('twin · copy/workspace')) && rows;
      },
      { what: 'the evidence of the copy' },
    );
    for (const file of files)
      assert.ok(
        [original, 'copy/workspace'].some((folder) => file.endsWith(`twin · ${folder}`)),
        files.join('; '),
      );
    await window.screenshot('copied-folder-evidence');
    await window.quickInput.dismiss();
  });
});
