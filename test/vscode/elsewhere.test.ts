import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { approveShown } from './approving';
import type { Server } from './harness/server';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import {
  approveAndRun,
  makeMissionWorkspace,
  startMissionServer,
  verifyEvidence,
  waitForEvent,
  waitForStatus,
  type MissionWorkspace,
} from './missionWorkspace';

/** One window has a folder, another one has it beside a second folder, whose mission its panel shows. */
describe('a notification that names a mission of another window', () => {
  let left: MissionWorkspace;
  let right: MissionWorkspace;
  let server: Server;
  let alone: VscodeWindow;
  let both: VscodeWindow;

  story(async () => {
    // Once for each task, so each blocks until a person accepts the change.
    const rewrites = `const fs = require('node:fs'); fs.writeFileSync('notes.md', String(fs.existsSync('out/ship.txt')))`;
    left = await makeMissionWorkspace('left', ['build', 'ship'], { git: true, verify: ['node', '-e', rewrites] });
    right = await makeMissionWorkspace('right', ['build']);
    const file = path.join(path.dirname(left.workspaceDir), 'both.code-workspace');
    const folders = [left, right].map(({ workspaceDir, planId }) => ({ name: planId, path: workspaceDir }));
    await writeFile(file, JSON.stringify({ folders }));
    server = await startMissionServer(left);
    alone = await server.openWindow();
    await approveAndRun(alone, left);
    await waitForEvent(left, 'WorkerStarted');
    both = await server.openWindow(file);
    await both.editor.open(right.planPath);
    await both.command('Mission Control: Approve Plan');
    await approveShown(both);
    await both.notifications.waitFor(/^Plan right is approved/);
    await both.command('Mission Control: Run Plan');
    await waitForEvent(right, 'WorkerStarted');
    await waitForShown(both, 'right');
  });

  /** Brings the panel to the front, and waits until it shows this mission. */
  const waitForShown = async (window: VscodeWindow, plan: string): Promise<void> => {
    const frame = await window.webviewFrame('Mission Control');
    await waitFor(async () => (await frame.locator('h1').innerText()).startsWith(plan), {
      what: `mission ${plan} in the panel`,
    });
  };
  const blocked = /task (build|ship) is blocked \(NON_COMPLIANT\)/;
  const news = async (window: VscodeWindow): Promise<readonly string[]> =>
    (await window.notifications.list()).map(({ text }) => text).filter((text) => blocked.test(text));
  /** In the list of changes that is open, or about to open. */
  const accept = async (): Promise<void> => {
    await waitFor(async () => (await both.quickInput.read()).items.includes('notes.md'), { what: 'the changed file' });
    await both.quickInput.tick(['notes.md']);
    await both.quickInput.asks(/in the evidence of mission left in left\./);
    await both.quickInput.answer('The notes are generated');
  };
  const validateAgain = async (): Promise<void> => {
    await both.command('Mission Control: Rerun Validation');
    await both.quickInput.answer('Accepted');
  };

  it('comes in the window that runs it, and its button opens the mission there and nowhere else', async () => {
    await left.openGate('build');
    await alone.notifications.waitFor(blocked);
    await alone.command('View: Close All Editors');
    await alone.notifications.click(blocked, 'Show Mission');
    await waitForShown(alone, 'left');
    // The other window knows of the block by now, and says so where it does not disturb.
    await waitForStatus(both, '1 needs you · 1 running');
    await waitForShown(both, 'right');
    assert.deepEqual(await news(both), []);
  });

  it('comes, once that window is closed, in one that has its folder as well, and opens the mission there', async () => {
    await alone.close();
    await server.waitForExtensionHosts(1);
    await both.command('Mission Control: Accept Change…');
    await accept();
    await waitForEvent(left, 'ChangesAccepted');
    await validateAgain();
    await left.openGate('ship');
    const { text } = await both.notifications.waitFor(blocked);
    assert.match(text, /^Mission left in left: task ship is blocked/);
    await waitForShown(both, 'right');
    await both.screenshot('elsewhere-told');
    await both.notifications.click(blocked, 'Show Mission');
    await waitForShown(both, 'left');
    await both.screenshot('elsewhere-shown');
  });

  it('leaves both missions to their ends', async () => {
    await both.command('Mission Control: Accept Change…');
    await accept();
    await waitForEvent(left, 'ChangesAccepted', 2);
    await validateAgain();
    await right.openGate('build');
    for (const workspace of [left, right]) {
      await waitForEvent(workspace, 'MissionReported');
      const { valid, findings } = verifyEvidence(workspace);
      // A stranger verifies here, who has no seal of the person that approved.
      assert.deepEqual([valid, findings.map(({ code }) => code)], [true, ['JOURNAL_FOREIGN']]);
    }
    assert.deepEqual([left.executions('build'), left.executions('ship'), right.executions('build')], [1, 1, 1]);
  });
});
