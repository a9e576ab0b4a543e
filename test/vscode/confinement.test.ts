import assert from 'node:assert/strict';
import path from 'node:path';
import { needsBubblewrap } from '../support/bubblewrap';
import { approvalAsked, approvePage, approveShown, pageShown } from './approving';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import {
  answerName,
  makeMissionWorkspace,
  openMissionWindow,
  waitForStatus,
  type MissionWorkspace,
} from './missionWorkspace';

describe('the setting missionControl.confinement is required, and bubblewrap is not on PATH', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    workspace = await makeMissionWorkspace('held', ['only']);
    window = await openMissionWindow(workspace, {
      userSettings: { 'missionControl.confinement': 'required' },
    });
  });

  it('the approval page says that nothing will start, and why', async () => {
    await window.editor.open(workspace.planPath);
    await window.command('Mission Control: Approve Plan');
    await answerName(window);
    const page = await pageShown(window);
    assert.match(page, /command(?: and verify commands)?: confined by nothing\..*nothing will start here/);
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

describe('bubblewrap is on PATH', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  let bubblewrap: string;

  before(function () {
    bubblewrap = needsBubblewrap(this);
  });
  story(async () => {
    workspace = await makeMissionWorkspace('confined', ['only']);
    window = await openMissionWindow(workspace, {
      userSettings: { 'workbench.colorTheme': 'Default High Contrast' },
      env: { PATH: [process.env['PATH'], bubblewrap].join(path.delimiter) },
    });
  });

  it('the approval says that a sandbox around the approved paths holds each task', async () => {
    await window.editor.open(workspace.planPath);
    await window.command('Mission Control: Approve Plan');
    await answerName(window);
    await approvalAsked(window);
    await window.screenshot('approval-confined');
    const page = await approveShown(window);
    assert.match(page, /command and verify commands: A sandbox around the approved paths of its task holds it back/);
    await window.notifications.waitFor(/Plan confined is approved/);
  });

  it('the panel says it of the task that runs in it', async () => {
    await window.command('Mission Control: Run Plan');
    await window.command('Mission Control: Show Mission Control');
    const frame = await window.webviewFrame('Mission Control');
    const lane = frame.locator('[data-lane]');
    await waitFor(async () => (await lane.count()) === 1 && /\bconfined\b/.test(await lane.innerText()), {
      what: 'the sandbox of the task that runs',
    });
    assert.match(await frame.locator('body').innerText(), /Workers confined by bubblewrap/);
    await window.screenshot('panel-confined');
    // Its gate lies below /tmp, where it sees its own.
    await window.command('Mission Control: Cancel Mission');
    await window.dialogs.answer('Cancel Mission');
    await window.quickInput.answer('Seen');
    await waitForStatus(window, 'Mission confined canceled');
  });
});
