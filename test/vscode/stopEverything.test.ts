import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { approveShown } from './approving';
import { living, waitForStarted } from './laneChecks';
import { story } from './harness/story';
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

/** Two windows, each with a mission of its own workspace: one of them stops everything. */
describe('everything is stopped from the palette', () => {
  let here: MissionWorkspace;
  let there: MissionWorkspace;
  let window: VscodeWindow;
  let other: VscodeWindow;

  story(async () => {
    here = await makeMissionWorkspace('here', ['one', 'two']);
    there = await makeMissionWorkspace('there', ['three']);
    const server = await startMissionServer(here);
    other = await server.openWindow(there.workspaceDir);
    await approveAndRun(other, there);
    window = await server.openWindow();
    // The name is known on this machine by now.
    await window.editor.open(here.planPath);
    await window.command('Mission Control: Approve Plan');
    await approveShown(window);
    await window.notifications.waitFor(/Plan here is approved/);
    await window.command('Mission Control: Run Plan');
  });

  it('at once: both missions are paused by name, their workers are gone, and the reason follows', async () => {
    const records = [...(await waitForStarted(here, 'one')), ...(await waitForStarted(there, 'three'))];
    assert.equal(await living(...records), 4);
    await window.command('Mission Control: Stop Everything');
    await window.notifications.waitFor(/^Everything is stopped\./);
    assert.equal(await living(...records), 0);
    for (const workspace of [here, there]) {
      const { event } = await waitForEvent(workspace, 'MissionPaused');
      assert.ok(event.type === 'MissionPaused');
      assert.match(event.reason, /^(Stopped|Paused) by Ada Lovelace: no reason was given yet$/);
    }
    await window.screenshot('stopped-asks-why');
    await window.quickInput.answer('The disk burns');
    await window.notifications.waitFor(/^The reason of the stop is recorded\./);
  });

  it('the other window shows it, and nothing starts in either', async () => {
    await waitForStatus(other, /there.*paused/i);
    await other.screenshot('stopped-everything-elsewhere');
    for (const each of [window, other]) {
      await each.command('Mission Control: Retry Task');
      const refused = await each.notifications.waitFor(/^Retry Task was refused \(STARTS_HELD\)/);
      assert.match(refused.text, /Ada Lovelace stopped everything at .*: The disk burns/);
    }
  });

  it('a draft is refused before its page opens, with the button that allows starts', async () => {
    const next = path.join(path.dirname(here.planPath), 'PLAN_next.json');
    const plan = JSON.parse(await readFile(here.planPath, 'utf8')) as object;
    const draft = { ...plan, plan_id: 'next', status: 'DRAFT', approval: { required: true } };
    await writeFile(next, JSON.stringify(draft));
    await window.editor.open(next);
    await window.command('Mission Control: Run Plan');
    const refused = await window.notifications.waitFor(/^Run Plan was refused \(STARTS_HELD\)/);
    assert.deepEqual(refused.buttons, ['Allow Starts Again']);
    assert.equal((await window.editor.activeTab())?.name, 'PLAN_next.json');
  });

  it('and allowed again: what was paused goes on by its own command', async () => {
    await window.notifications.click(/^Run Plan was refused/, 'Allow Starts Again');
    await window.quickInput.answer('The fire is out');
    await window.notifications.waitFor(/^Starts are allowed again\./);
    assert.equal(here.executions('one'), 1);
    for (const task of ['one', 'two']) await here.openGate(task);
    await there.openGate('three');
    for (const [each, plan] of [
      [window, 'here'],
      [other, 'there'],
    ] as const) {
      await each.command('Mission Control: Retry Task');
      await each.quickInput.answer('Go on');
      await waitForStatus(each, `Mission ${plan} completed`);
    }
    for (const workspace of [here, there]) assert.equal(verifyEvidence(workspace).valid, true);
  });
});
