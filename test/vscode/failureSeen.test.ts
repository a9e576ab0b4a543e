import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { story } from './harness/story';
import type { VscodeWindow } from './harness/window';
import { waitForStarted } from './laneChecks';
import { runInWindow, waitForEvent, waitForStatus, type MissionWorkspace } from './missionWorkspace';

describe('a plan after a mission that failed', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    ({ workspace, window } = await runInWindow('again', ['stray'], { git: true }));
    await waitForStarted(workspace, 'stray');
    await workspace.plantHook('stray');
    await waitForStatus(window, 'Mission again failed');
    await waitForEvent(workspace, 'MissionReported');
    await rm(path.join(workspace.workspaceDir, '.git/hooks/pre-push'));
  });

  it('is not run before a person says that they have seen the failure', async () => {
    await window.command('Mission Control: Run Plan');
    const asked = await window.dialogs.read();
    await window.screenshot('acknowledge-and-run');
    assert.equal(asked.message, 'Mission again failed, and no person has acknowledged it.');
    assert.match(asked.detail, /stray/);
    assert.deepEqual(asked.buttons.toSorted(), ['Acknowledge and Run', 'Cancel']);
    await window.dialogs.answer('Cancel');
    assert.ok(!(await workspace.events()).some(({ event }) => event.type === 'FailureAcknowledged'));
  });

  it('is run by one decision with its reason', async () => {
    await workspace.openGate('stray');
    await workspace.staysInScope('stray');
    await window.command('Mission Control: Run Plan');
    await window.dialogs.answer('Acknowledge and Run');
    await window.quickInput.answer('The step wrote a note; it does no longer.');
    await waitForStatus(window, 'Mission again completed');
    assert.equal(workspace.executions('stray'), 2);
  });
});
