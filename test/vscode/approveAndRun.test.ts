import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { approveShown } from './approving';
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

/** From a draft to evidence that a person verified, without the terminal and without a second command to approve. */
describe('a draft that is run', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    workspace = await makeMissionWorkspace('at-once', ['only']);
    window = await openMissionWindow(workspace);
  });

  it('is approved and run by one button', async () => {
    await window.editor.open(workspace.planPath);
    await window.command('Mission Control: Run Plan');
    await answerName(window);
    const page = await approveShown(window, 'Approve and Run');
    assert.match(page, /The plan is a draft\. Look at it before it runs\./);
    await window.terminals.waitForText('only · command (Mission at-once)', 'Step started');
  });

  it('has evidence that is still being written while it runs', async () => {
    await window.command('Mission Control: Verify Evidence');
    await window.notifications.waitFor(
      /^The evidence of at-once |^Mission at-once writes its evidence until it has ended/,
    );
    await window.command('Notifications: Clear All Notifications');
    await workspace.openGate('only');
    await waitForStatus(window, 'Mission at-once completed');
  });

  it('is verified by a command, whose answer says what was checked', async () => {
    await window.command('Mission Control: Verify Evidence');
    // The answer while it ran may have said the same with a finding: that the mission is open.
    const { severity, text, buttons } = await window.notifications.waitFor(
      /^The evidence of at-once holds\. Checked: /,
    );
    assert.deepEqual([severity, buttons], ['info', ['Open Evidence']]);
    assert.match(text, /Checked: the header, the locked plan, the summary, 1 task\. The journal of this machine says/);
    await window.screenshot('verified');
  });

  it('does not hold once a file was changed, and a page lists every finding', async () => {
    const summary = path.join(workspace.workspaceDir, 'docs/ops/executions/at-once/EXECUTION_SUMMARY.md');
    await appendFile(summary, 'One more line.\n');
    await window.command('Mission Control: Verify Evidence');
    const { severity } = await window.notifications.waitFor(/^The evidence of at-once does not hold\. SUMMARY_DIGEST/);
    assert.equal(severity, 'error');
    await window.screenshot('not-verified');
    await window.notifications.click(/^The evidence of at-once does not hold/, 'Show Findings');
    await waitFor(async () => (await window.editor.activeTab())?.name === 'Findings of at-once.txt', {
      what: 'the page of findings',
    });
    assert.match(await window.editor.text(), /error SUMMARY_DIGEST_MISMATCH EXECUTION_SUMMARY\.md\n {4}.*\n {4}Next: /);
    await window.screenshot('evidence-findings');
  });
});
