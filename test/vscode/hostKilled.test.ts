import assert from 'node:assert/strict';
import { fold } from '../../src/core/mission/evolve';
import { missionStatus } from '../../src/core/mission/status';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import {
  approveAndRun,
  makeMissionWorkspace,
  openMissionWindow,
  verifyEvidence,
  waitForStatus,
  type MissionWorkspace,
} from './missionWorkspace';

/** The third death within five minutes makes VS Code ask instead of starting the extension host again. */
const kills = 2;
const tasks = ['one', 'two', 'three', 'four', 'five', 'six'];
const eventsPerTask = 20;

describe('kill -9 of the extension host, again and again, while tasks come and go', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    workspace = await makeMissionWorkspace('killed-host', tasks);
    // Nothing waits: a kill comes wherever the mission is.
    for (const task of tasks) await workspace.openGate(task);
    window = await openMissionWindow(workspace);
  });

  it('completes the mission with one execution of every task', async () => {
    await approveAndRun(window, workspace);
    let seen = 0;
    for (let kill = 1; kill <= kills; kill++) {
      const at = seen + 1 + Math.floor(Math.random() * eventsPerTask * 1.5);
      await waitFor(async () => (await workspace.events()).length >= at, { what: `event ${at} of the mission` });
      await window.restartExtensionHost();
      seen = (await workspace.events()).length;
    }
    await waitForStatus(window, 'Mission killed-host completed');
    assert.deepEqual(
      tasks.map((task) => workspace.executions(task)),
      tasks.map(() => 1),
    );
  });

  it('leaves evidence that verifies, no lock, and one attempt and one worker per task', async () => {
    const entries = await workspace.events();
    const attempts = entries.filter(({ event }) => event.type === 'AttemptStarted');
    const workers = entries.filter(({ event }) => event.type === 'LaunchRequested' && event.purpose.kind === 'worker');
    assert.deepEqual([attempts.length, workers.length], [tasks.length, tasks.length]);
    const mission = fold(entries);
    assert.ok(mission);
    assert.equal(missionStatus(mission), 'completed');
    assert.deepEqual(
      mission.rows.map(({ lock }) => lock),
      tasks.map(() => 'released'),
    );
    assert.equal(verifyEvidence(workspace).valid, true);
  });
});
