import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { runInWindow, verifyEvidence, waitForEvent, waitForStatus, type MissionWorkspace } from './missionWorkspace';

const undoAttempt = 'Mission Control: Undo Attempt…';

describe('a blocked attempt that a person undoes', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;
  const output = (): string => path.join(workspace.workspaceDir, 'out/broken.txt');

  story(async () => {
    ({ workspace, window } = await runInWindow('undoes', ['broken']));
    await waitFor(() => workspace.executions('broken') === 1, { what: 'the file of the task' });
    await workspace.breakTask('broken');
    await waitForStatus(window, 'Mission undoes blocked');
  });

  it('names each file in the question, and Keep puts nothing back', async () => {
    await window.command(undoAttempt);
    await waitFor(() => window.dialogs.isOpen(), { what: 'the question' });
    const { message, detail, buttons } = await window.dialogs.read();
    assert.equal(message, 'Undo attempt 1 of task broken of mission undoes?');
    assert.match(detail, /out\/broken\.txt.* is removed\./);
    assert.deepEqual(buttons.toSorted(), ['Keep', 'Undo Attempt']);
    await window.screenshot('undo-attempt');
    await window.dialogs.answer('Keep');
    assert.ok(existsSync(output()));
  });

  it('is gone with its file, by a decision with name and reason', async () => {
    await window.command(undoAttempt);
    await window.dialogs.answer('Undo Attempt');
    await window.quickInput.answer('It went the wrong way');
    const { event } = await waitForEvent(workspace, 'UndoEnded');
    assert.ok(event.type === 'UndoEnded');
    assert.ok(!existsSync(output()));
    assert.equal(verifyEvidence(workspace).valid, true);
    await window.screenshot('undone');
  });

  it('comes back as it was by the same command', async () => {
    await window.command(undoAttempt);
    await waitFor(() => window.dialogs.isOpen(), { what: 'the question' });
    assert.match((await window.dialogs.read()).message, /^Take the undo of attempt 1 of task broken .* back\?$/);
    await window.dialogs.answer('Take Undo Back');
    await window.quickInput.answer('It was right');
    await waitFor(() => existsSync(output()), { what: 'the file' });
    assert.equal(readFileSync(output(), 'utf8'), 'executed\n');
  });

  it('starts clean when it is tried again', async () => {
    await window.command(undoAttempt);
    await window.dialogs.answer('Undo Attempt');
    await window.quickInput.answer('From the start');
    await waitFor(() => !existsSync(output()), { what: 'the file to go' });
    await workspace.mendTask('broken');
    await workspace.openGate('broken');
    await window.command('Mission Control: Retry Task');
    await window.quickInput.answer('Once more');
    await waitForStatus(window, 'Mission undoes completed');
    assert.equal(workspace.executions('broken'), 1);
    assert.equal(verifyEvidence(workspace).valid, true);
  });
});
