import assert from 'node:assert/strict';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { runInWindow, waitForEvent, waitForStatus, type MissionWorkspace } from './missionWorkspace';

describe('a worker that gives no sign of life', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    ({ workspace, window } = await runInWindow('stuck', ['build', 'ship'], { timeoutSeconds: 30 }));
  });

  it('is blocked with TASK_TIMEOUT, which the status bar shows', async () => {
    await window.terminals.waitForText('build · command (Mission stuck)', 'Step started');
    await workspace.stickTask('build');
    const { event } = await waitFor(
      async () => (await workspace.events()).find((entry) => entry.event.type === 'WorkerTimedOut'),
      { what: 'the timeout', timeout: 90_000 },
    );
    assert.ok(event.type === 'WorkerTimedOut');
    assert.deepEqual([event.task_id, event.timeout_seconds], ['build', 30]);
    await waitForEvent(workspace, 'PacketWritten');
    await waitForStatus(window, 'Mission stuck blocked: deadline passed');
    assert.equal((await window.statusBarItem('missionControl.status'))?.kind, 'error');
    await window.notifications.waitFor(/task build is blocked/);
    await window.screenshot('task-timeout');
    const events = (await workspace.events()).map((entry) => entry.event);
    assert.equal(
      events.some((found) => found.type === 'AttemptStarted' && found.task_id === 'ship'),
      false,
    );
    assert.equal(workspace.executions('build'), 1);
  });
});
