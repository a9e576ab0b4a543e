import assert from 'node:assert/strict';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { runInWindow, verifyEvidence, waitForEvent, waitForStatus, type MissionWorkspace } from './missionWorkspace';

describe('a blocker that a person resolves, guided', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    ({ workspace, window } = await runInWindow('guided', ['build', 'ship']));
    await workspace.breakTask('build');
    await waitForStatus(window, 'Mission guided blocked');
  });

  it('is told what happened and what each outcome does; one that is not possible now says why, and what is', async () => {
    await window.notifications.click(/task build is blocked/, 'Resolve Blocker');
    const shown = await waitFor(
      async () => {
        const state = await window.quickInput.read();
        return state.items.length > 5 && state;
      },
      { what: 'the outcomes' },
    );
    assert.equal(shown.title, 'Resolve Blocker');
    assert.match(shown.placeholder, /^build: The worker exited with 3\./);
    for (const label of ['Resume the mission', 'Ask somebody', 'Leave it blocked', 'Try it again', 'Validate again'])
      assert.ok(
        shown.items.some((item) => item.includes(label)),
        `${label}: ${shown.items.join()}`,
      );
    await window.screenshot('resolve-blocker');
    await window.quickInput.pick(/Resume the mission/);
    const refused = await window.notifications.waitFor(/^Resume the mission is not possible now\./);
    assert.match(refused.text, /has to be repaired first\. Next: mission packet resolve \S+ --outcome retry-repair/);
  });

  it('has its metadata revised first, from the same list, with name and reason', async () => {
    await window.command('Mission Control: Resolve Blocker');
    await window.quickInput.pick(/Revise Task/);
    await waitFor(async () => (await window.quickInput.read()).items.some((item) => item.includes('build')), {
      what: 'the tasks',
    });
    await window.quickInput.pick(/^build/);
    await window.quickInput.pick(/Longest runtime/);
    await window.quickInput.asks(/1 to 604800/);
    await window.quickInput.answer('7200');
    await window.quickInput.asks(/revised for its next attempt/);
    await window.quickInput.answer('It takes longer here');
    const { event } = await waitForEvent(workspace, 'MetadataRevised');
    assert.ok(event.type === 'MetadataRevised');
    assert.deepEqual(
      [event.task_id, event.before, event.after, event.decision.actor.name],
      ['build', { max_runtime_seconds: 600 }, { max_runtime_seconds: 7200 }, 'Ada Lovelace'],
    );
  });

  it('is tried again by the outcome chosen, and the mission completes', async () => {
    await workspace.mendTask('build');
    await workspace.openGate('build');
    await workspace.openGate('ship');
    await window.command('Mission Control: Resolve Blocker');
    await window.quickInput.pick(/Try it again/);
    await window.quickInput.answer('The cause is gone');
    const { event } = await waitForEvent(workspace, 'PacketResolved');
    assert.ok(event.type === 'PacketResolved');
    assert.deepEqual([event.outcome, event.decision.reason], ['retry-repair', 'The cause is gone']);
    await waitForStatus(window, 'Mission guided completed');
    assert.equal(verifyEvidence(workspace).valid, true);
  });
});

describe('everything is stopped from the palette', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    ({ workspace, window } = await runInWindow('all-stop', ['one', 'two']));
    await window.terminals.waitForText('one · command (Mission all-stop)', 'Step started');
  });

  it('after a confirmation and with a reason: the mission is paused by name, and nothing starts', async () => {
    await window.command('Mission Control: Stop Everything');
    const dialog = await window.dialogs.answer('Stop Everything');
    assert.equal(dialog.message, 'Stop everything?');
    await window.quickInput.answer('The disk burns');
    await window.notifications.waitFor(/^Everything is stopped\./);
    const { event } = await waitForEvent(workspace, 'MissionPaused');
    assert.ok(event.type === 'MissionPaused');
    assert.match(event.reason, /^(Stopped|Paused) by Ada Lovelace: The disk burns$/);
    await window.command('Mission Control: Retry Task');
    await window.quickInput.answer('Go on');
    const refused = await window.notifications.waitFor(/^Retry Task was refused \(STARTS_HELD\)/);
    assert.match(refused.text, /Ada Lovelace stopped everything at .*: The disk burns/);
  });

  it('and allowed again: what was paused goes on by its own command', async () => {
    await window.command('Mission Control: Allow Starts Again');
    await window.quickInput.answer('The fire is out');
    await window.notifications.waitFor(/^Starts are allowed again\./);
    assert.equal(workspace.executions('one'), 1);
    await workspace.openGate('one');
    await workspace.openGate('two');
    await window.command('Mission Control: Retry Task');
    await window.quickInput.answer('Go on');
    await waitForStatus(window, 'Mission all-stop completed');
    assert.equal(verifyEvidence(workspace).valid, true);
  });
});
