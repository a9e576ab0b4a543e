import assert from 'node:assert/strict';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { evidenceStatus } from './laneChecks';
import { runInWindow, verifyEvidence, waitForEvent, waitForStatus, type MissionWorkspace } from './missionWorkspace';

const skipTask = 'Mission Control: Skip Task';

describe('a blocked task that a person gives up', () => {
  const tasks = ['first', 'broken', 'after', 'last'];
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    ({ workspace, window } = await runInWindow('gives-up', tasks, { after: { after: ['broken'] } }));
    await workspace.openGate('first');
    await workspace.breakTask('broken');
    await waitForStatus(window, 'Mission gives-up blocked');
  });

  it('is picked from the list of tasks, and the dialog names the dependants that are skipped with it', async () => {
    await window.command(skipTask);
    await waitFor(async () => (await window.quickInput.read()).items.length > 0, { what: 'the list of tasks' });
    await window.terminals.takeFocus();
    await window.quickInput.pick('broken');
    await waitFor(() => window.dialogs.isOpen(), { what: 'the question' });
    const { message, detail, buttons } = await window.dialogs.read();
    assert.equal(message, 'Skip task broken of mission gives-up?');
    assert.match(detail, /^Skipped with it, because they depend on it: after\./);
    assert.deepEqual(buttons.toSorted(), ['Keep', 'Skip Tasks']);
    await window.dialogs.answer('Keep');
    assert.ok(!(await workspace.events()).some(({ event }) => event.type === 'TasksSkipped'));
  });

  it('is skipped by one decision with name and reason; tasks that do not depend on it go on', async () => {
    await window.command(skipTask);
    await window.quickInput.pick('broken');
    await window.dialogs.answer('Skip Tasks');
    await window.quickInput.answer('Another team does it');
    const { event } = await waitForEvent(workspace, 'TasksSkipped');
    assert.ok(event.type === 'TasksSkipped');
    assert.deepEqual(
      [event.task_ids, event.decision.actor.name, event.decision.reason],
      [['broken', 'after'], 'Ada Lovelace', 'Another team does it'],
    );
    await workspace.openGate('last');
    await waitForStatus(window, 'Mission gives-up completed');
    assert.deepEqual(
      tasks.map((task) => evidenceStatus(workspace, task)),
      ['SUCCESS', 'SKIPPED', 'SKIPPED', 'SUCCESS'],
    );
    assert.equal(workspace.executions('after'), 0);
    assert.equal(verifyEvidence(workspace).valid, true);
  });

  it('stands on the panel as skipped, and no command offers to skip it again', async () => {
    await window.command('Mission Control: Show Mission Control');
    const frame = await window.webviewFrame('Mission Control');
    await waitFor(
      async () => {
        const states = await frame.locator('table.tasks .mark .hidden').allInnerTexts();
        return states.join() === 'done,skipped,skipped,done';
      },
      { what: 'the states in the panel' },
    );
    await waitFor(async () => (await frame.locator('.sentence').innerText()).includes('2 skipped by Ada Lovelace'), {
      what: 'the end in the panel',
    });
    await window.screenshot('skipped');
    await waitFor(async () => !(await window.quickInput.commandsMatching(skipTask)).includes(skipTask), {
      what: 'the command to go',
    });
  });
});
