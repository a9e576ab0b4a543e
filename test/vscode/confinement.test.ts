import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { approvePage, reviewShown } from './approving';
import { story } from './harness/story';
import type { VscodeWindow } from './harness/window';
import { answerName, makeMissionWorkspace, openMissionWindow, type MissionWorkspace } from './missionWorkspace';

const searched = process.env['PATH'] ?? '';
const withoutBubblewrap = searched
  .split(path.delimiter)
  .filter((folder) => !existsSync(path.join(folder, 'bwrap')))
  .join(path.delimiter);

describe('the setting missionControl.confinement is required, and bubblewrap is not on PATH', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    workspace = await makeMissionWorkspace('held', ['only']);
    window = await openMissionWindow(workspace, {
      userSettings: { 'missionControl.confinement': 'required' },
      env: { PATH: withoutBubblewrap },
    });
  });

  it('the approval page says that nothing will start, and why', async () => {
    await window.editor.open(workspace.planPath);
    await window.command('Mission Control: Approve Plan');
    await answerName(window);
    const { page } = await reviewShown(window);
    assert.match(page, /command is confined by nothing\..*nothing will start here/);
    assert.match(page, /bubblewrap \(the program bwrap\) is not on PATH/);
    await window.screenshot('approval-unconfined');
    await approvePage(window);
    await window.notifications.waitFor(/Plan held is approved/);
  });

  it('starts nothing, and names what to install', async () => {
    await window.command('Mission Control: Run Plan');
    const refused = await window.notifications.waitFor(/CONFINEMENT_UNAVAILABLE/);
    assert.equal(refused.severity, 'error');
    assert.match(refused.text, /Install it: .*bubblewrap/);
    assert.equal(workspace.executions('only'), 0);
  });
});
