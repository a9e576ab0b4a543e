import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { dumpOnFailure } from './harness/failureDump';
import type { Server } from './harness/server';
import type { VscodeWindow } from './harness/window';
import { makeMissionWorkspace, startMissionServer, type MissionWorkspace } from './missionWorkspace';

const onlyPosix = process.platform === 'win32' ? describe.skip : describe;

/** Windows has no such names. */
onlyPosix('a file whose name is a link, an icon and a change of direction', () => {
  dumpOnFailure();
  const name = 'PLAN_[click](command:workbench.action.closeWindow)$(error)\u202e.json';
  let workspace: MissionWorkspace;
  let server: Server;
  let window: VscodeWindow;

  before(async () => {
    workspace = await makeMissionWorkspace('plain', ['only'], { approved: true });
    copyFileSync(workspace.planPath, path.join(path.dirname(workspace.planPath), name));
    server = await startMissionServer(workspace);
    window = await server.openWindow();
  });
  after(async () => {
    await server.stop();
    await workspace.remove();
  });

  it('is text in the list of plans and in the notification', async () => {
    await window.command('Mission Control: Validate Plan');
    const row = window.page.locator('.quick-input-list .monaco-list-row', { hasText: 'closeWindow' });
    await row.waitFor();
    await window.screenshot('hostile-text-list');
    const label = await row.locator('.label-name').first().textContent();
    assert.equal(label, String.raw`PLAN_[click](command:workbench.action.closeWindow)$(error)\u202e.json`);
    assert.equal(await row.locator('.codicon-error').count(), 0);
    await row.click();

    const told = await window.notifications.waitForToast(/click/);
    const shown = String.raw`PLAN_[click]\(command:workbench.action.closeWindow)$(error)\u202e.json is `;
    assert.ok(told.text.includes(shown), told.text);
    assert.equal(await window.page.locator('.notification-list-item-message a').count(), 0);
    await window.screenshot('hostile-text-notification');
  });
});
