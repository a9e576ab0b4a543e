import assert from 'node:assert/strict';
import { approveShown } from './approving';
import { makeScratch, type Scratch } from './harness/scratch';
import { story } from './harness/story';
import { Trees } from './harness/trees';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { answerName, startMissionServer, waitForStatus } from './missionWorkspace';

/** From a window without a folder to evidence, with nothing of a person's own. */
describe('the sample, opened in a fresh window', () => {
  let scratch: Scratch;
  let window: VscodeWindow;

  story(async () => {
    scratch = await makeScratch();
    window = await (await startMissionServer(scratch)).openWindow('');
  });

  it('is offered where no folder is open, and opens with its plan and with what to do', async () => {
    await window.command('View: Show Mission Control');
    const trees = new Trees(window.page);
    assert.deepEqual((await trees.welcome('Missions')).buttons, ['Open Sample', 'Open Folder', 'Open Walkthrough']);
    await trees.pane('Missions').locator('.monaco-button', { hasText: 'Open Walkthrough' }).first().click();
    const steps = window.page.locator('.getting-started-step');
    await steps.first().waitFor();
    await window.page.locator('.getting-started-step[data-step-id$="#sample"]').click();
    await steps.locator('.monaco-button', { hasText: 'Run Sample' }).first().click();
    await window.notifications.click(/^Run Sample works in a folder, and none is open\./, 'Open Sample');
    await waitFor(async () => (await window.editor.activeTab())?.name === 'PLAN_sample-1.json', {
      what: 'the plan of the sample',
    });
    const told = await window.notifications.waitFor(/^This plan runs two small commands in this folder alone\./);
    assert.deepEqual(told.buttons, ['Run Plan']);
    await window.screenshot('sample-opened');
  });

  it('is run from its notification, and its evidence verified', async () => {
    await window.notifications.click(/^This plan runs two small commands/, 'Run Plan');
    await answerName(window);
    await approveShown(window, 'Approve and Run');
    await waitForStatus(window, 'Mission sample-1 completed');
    await window.command('Mission Control: Verify Evidence');
    await window.notifications.waitFor(/^The evidence of sample-1 holds\. Checked: /);
    await window.screenshot('sample-verified');
  });

  it('says what to do once', async () => {
    await window.reload();
    await waitForStatus(window, 'Mission sample-1 completed');
    assert.ok(!(await window.notifications.list()).some(({ text }) => text.startsWith('This plan runs two')));
  });
});
