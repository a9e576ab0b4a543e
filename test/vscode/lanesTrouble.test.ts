import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ProcessRecord } from '../../src/contracts/launch';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { evidenceStatus, living, waitForEvidence, waitForStarted, waitForStrips } from './laneChecks';
import { runInWindow, verifyEvidence, waitForEvent, waitForStatus, type MissionWorkspace } from './missionWorkspace';

const acknowledge = 'Mission Control: Acknowledge Failure';

describe('a lane that plants a hook', () => {
  const lanes = ['honest', 'other', 'stray'];
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    ({ workspace, window } = await runInWindow('out-of-scope', lanes, { lanes: 3, git: true }));
  });

  it('fails the mission as SCOPE_VIOLATION; the others are stopped and SKIPPED', async () => {
    const records = await waitForStarted(workspace, ...lanes);
    await workspace.plantHook('stray');
    const hook = path.join(workspace.workspaceDir, '.git/hooks/pre-push');
    await waitFor(() => existsSync(hook), { what: 'the write' });
    await workspace.openGate('stray');
    await waitForStatus(window, 'Mission out-of-scope failed');
    const failed = await waitForEvent(workspace, 'MissionFailed');
    assert.ok(failed.event.type === 'MissionFailed');
    assert.equal(failed.event.code, 'SCOPE_VIOLATION');
    assert.match(failed.event.reason, /^Task stray failed/);
    await waitForEvent(workspace, 'MissionReported');
    assert.equal(await living(...records), 0);
    assert.deepEqual(
      lanes.map((task) => evidenceStatus(workspace, task)),
      ['SKIPPED', 'SKIPPED', 'FAILED'],
    );
    assert.equal(verifyEvidence(workspace).valid, true);
  });

  it('is shown by the status bar, by one notification and by the panel', async () => {
    assert.equal((await window.statusBarItem('missionControl.status'))?.kind, 'error');
    await window.notifications.waitFor(/^Mission out-of-scope failed \(SCOPE_VIOLATION\): .*pre-push/);
    await window.command('Mission Control: Show Mission Control');
    const frame = await window.webviewFrame('Mission Control');
    await waitFor(async () => (await frame.locator('.card').first().innerText()).includes('pre-push'), {
      what: 'the path in the panel',
    });
    // Three tasks ran unconfined, so the page blames none of them for the hook.
    assert.equal(await frame.locator('.pill').first().innerText(), 'Failed: changes outside its paths');
    const [hook, , beside] = await frame.locator('[data-task-changed="stray"] li').allInnerTexts();
    assert.equal(hook, '.git/hooks/pre-push changes a git hook, which git runs later with your rights');
    assert.equal(
      beside,
      'by one of stray, honest, other, or another program: they ran at the same time without a lock on it',
    );
    assert.equal(await frame.locator('.lane').count(), 0);
    await window.screenshot('lanes-scope-violation');
  });

  it('is acknowledged by a person, after which nothing asks for it', async () => {
    await window.command(acknowledge);
    await window.quickInput.answer('Seen');
    await waitForEvent(workspace, 'FailureAcknowledged');
    await waitFor(async () => (await window.statusBarItem('missionControl.status'))?.kind !== 'error', {
      what: 'the status bar to be calm',
    });
    await waitFor(async () => !(await window.quickInput.commandsMatching(acknowledge)).includes(acknowledge), {
      what: 'the command to go',
    });
  });
});

describe('a lane that blocks while another goes on', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    ({ workspace, window } = await runInWindow('one-blocks', ['good', 'bad', 'later'], { lanes: 2 }));
    await waitForStarted(workspace, 'good', 'bad');
  });

  it('needs a person while the other lane finishes, and nothing new starts', async () => {
    await workspace.breakTask('bad');
    await waitForStatus(window, 'Mission one-blocks blocked · 1 lane');
    assert.equal((await window.statusBarItem('missionControl.status'))?.kind, 'error');
    await window.notifications.waitFor(/task bad is blocked/);
    await window.command('Mission Control: Show Mission Control');
    await waitForStrips(window, 'good');
    await window.screenshot('lanes-blocked');
    await workspace.openGate('good');
    assert.equal(await waitForEvidence(workspace, 'good'), 'SUCCESS');
    await waitForStrips(window);
    await waitForStatus(window, /Mission one-blocks blocked$/);
    assert.equal(workspace.executions('later'), 0);
  });

  it('is retried from the palette and completes', async () => {
    await workspace.mendTask('bad');
    await window.command('Mission Control: Retry Task');
    await window.quickInput.answer('The cause is gone');
    await workspace.openGate('bad');
    await workspace.openGate('later');
    await waitForStatus(window, 'Mission one-blocks completed');
    assert.deepEqual(
      ['good', 'bad', 'later'].map((task) => workspace.executions(task)),
      [1, 2, 1],
    );
    await waitForEvent(workspace, 'MissionReported');
    for (const task of ['good', 'bad', 'later']) assert.equal(evidenceStatus(workspace, task), 'SUCCESS', task);
    assert.equal(verifyEvidence(workspace).valid, true);
  });
});

describe('one of two workers stopped from the palette', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;
  let records: readonly ProcessRecord[];

  story(async () => {
    ({ workspace, window } = await runInWindow('stop-one', ['left', 'right', 'later'], { lanes: 2 }));
    records = await waitForStarted(workspace, 'left', 'right');
  });

  it('asks which, and stops that one alone', async () => {
    await window.command('Mission Control: Stop Worker');
    await window.quickInput.pick('right');
    const dialog = await window.dialogs.answer('Stop Worker');
    assert.equal(dialog.message, 'Stop the worker of task right of mission stop-one?');
    assert.match(dialog.detail, /The other lanes finish/);
    await window.quickInput.answer('Wrong folder');
    const ended = await waitForEvent(workspace, 'WorkerEnded');
    assert.ok(ended.event.type === 'WorkerEnded');
    assert.deepEqual([ended.event.launch_id, ended.event.end.reason], [records[1]?.launch_id, 'stop_requested']);
    assert.deepEqual([await living(records[0]), await living(records[1])], [2, 0]);
    await window.notifications.waitFor(/Mission stop-one is pausing: task right was stopped by/);
    await waitForStatus(window, 'Mission stop-one pausing: needs you · 1 lane');
    await window.notifications.waitForGone(/^Stop Worker: /);
  });

  it('lets the other one finish, and waits', async () => {
    await workspace.openGate('left');
    await waitForStatus(window, /Mission stop-one (blocked|paused: needs you)$/);
    assert.deepEqual([await waitForEvidence(workspace, 'left'), workspace.executions('later')], ['SUCCESS', 0]);
  });

  it('goes on when the stopped one is retried, and completes', async () => {
    for (const task of ['right', 'later']) await workspace.openGate(task);
    await window.command('Mission Control: Retry Task');
    await window.quickInput.answer('Stopped the wrong one');
    await waitForStatus(window, 'Mission stop-one completed');
    assert.deepEqual(
      ['left', 'right', 'later'].map((task) => workspace.executions(task)),
      [1, 2, 1],
    );
    await waitForEvent(workspace, 'MissionReported');
    assert.equal(verifyEvidence(workspace).valid, true);
  });
});

describe('three lanes of which one and the same becomes', () => {
  const lanes = ['east', 'north', 'south'];
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    ({ workspace, window } = await runInWindow('together', lanes, { lanes: 3 }));
    await waitForStarted(workspace, ...lanes);
  });

  /** The tasks that notifications name, the newest notification first. */
  const told = async (what: RegExp): Promise<readonly string[]> =>
    (await window.notifications.list()).flatMap(({ text }) => what.exec(text)?.slice(1) ?? []);
  /** Waits until this window offers all of them to be resolved, so it knows of every block. */
  const waitForBlocks = async (...tasks: readonly string[]): Promise<void> => {
    await waitFor(
      async () => {
        await window.command('Mission Control: Resolve Blocker');
        const { items } = await window.quickInput.read();
        await window.quickInput.dismiss();
        return tasks.every((task) => items.includes(task));
      },
      { what: `the blocks of ${tasks.join(', ')}` },
    );
  };
  const blocked = /^Mission together: task (\w+) is blocked/;

  it('raises one notification where all three block, with the task that blocked first', async () => {
    for (const lane of lanes) await workspace.breakTask(lane);
    const { event } = await waitForEvent(workspace, 'PacketIssued', 3);
    assert.ok(event.type === 'PacketIssued');
    await waitForBlocks(...lanes);
    const first = (await workspace.events()).find((entry) => entry.event.type === 'PacketIssued')?.event;
    assert.ok(first?.type === 'PacketIssued');
    assert.deepEqual(await told(blocked), [first.task_id]);
    await window.screenshot('lanes-one-notification');
  });

  it('reports the next one when the first is decided', async () => {
    const [first = ''] = await told(blocked);
    for (const lane of lanes) await workspace.mendTask(lane);
    await window.command('Mission Control: Retry Task');
    await window.quickInput.pick(first);
    await window.quickInput.answer('The cause is gone');
    await waitFor(async () => (await told(blocked)).length === 2, { what: 'the notification of the next block' });
    const others = lanes.filter((lane) => lane !== first);
    await waitForBlocks(...others);
    assert.equal(new Set(await told(blocked)).size, 2);
    for (const lane of others) {
      await window.command('Mission Control: Retry Task');
      if (lane === others[0]) await window.quickInput.pick(lane);
      await window.quickInput.answer('The cause is gone');
    }
    await waitFor(() => lanes.every((lane) => workspace.executions(lane) === 2), { what: 'three workers once more' });
  });

  it('raises one notification where a person stops all three', async () => {
    await window.command('Notifications: Clear All Notifications');
    await window.command('Mission Control: Stop Everything');
    await window.notifications.waitFor(/^Everything is stopped\./);
    await window.quickInput.answer('The disk burns');
    await waitForBlocks(...lanes);
    const stopped = await told(/^Mission together is .*task (\w+) was stopped by/);
    assert.equal(stopped.length, 1, stopped.join());
  });

  it('has a notification that is over do nothing: its button looks at the mission again', async () => {
    await window.command('Mission Control: Cancel Mission');
    await window.dialogs.answer('Cancel Mission');
    await window.quickInput.answer('Enough');
    await waitForStatus(window, 'Mission together canceled');
    await waitForEvent(workspace, 'MissionReported');
    const before = (await workspace.events()).length;
    await window.notifications.click(/was stopped by/, 'Resolve Blocker');
    await window.notifications.waitFor(/^No task is blocked\./);
    assert.equal((await workspace.events()).length, before);
  });
});
