import assert from 'node:assert/strict';
import { cpSync, existsSync, renameSync } from 'node:fs';
import path from 'node:path';
import { approveShown } from './approving';
import type { Server } from './harness/server';
import { story } from './harness/story';
import { Trees } from './harness/trees';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import {
  approveAndRun,
  journalOf,
  makeMissionWorkspace,
  openMissionWindow,
  startMissionServer,
  waitForEvent,
  waitForStatus,
  type MissionWorkspace,
} from './missionWorkspace';

describe('windows that do not own the mission', () => {
  let workspace: MissionWorkspace;
  let server: Server;
  let owner: VscodeWindow;
  let viewer: VscodeWindow;

  story(async () => {
    workspace = await makeMissionWorkspace('watched', ['first', 'second']);
    server = await startMissionServer(workspace);
    owner = await server.openWindow();
    await approveAndRun(owner, workspace);
    await owner.terminals.waitForText('first · command (Mission watched)', 'Step started');
  });

  it('a second window shows the mission and owns nothing', async () => {
    viewer = await server.openWindow();
    await waitForStatus(viewer, 'Mission watched 0/2');
    await viewer.command('Mission Control: Show Mission Control');
    const frame = await viewer.webviewFrame('Mission Control');
    await waitFor(
      async () =>
        (await frame.locator('[data-section=header]').innerText()).includes('Another process runs this mission'),
      { what: 'the note about the owner' },
    );
    assert.equal((await workspace.events()).filter(({ event }) => event.type === 'OwnerResumed').length, 0);
    assert.deepEqual(
      (await viewer.terminals.list()).filter((name) => name.includes('(Mission ')),
      [],
    );
  });

  it('a file that a person saves there is not taken for the worker’s work', async () => {
    await viewer.editor.open(path.join(workspace.workspaceDir, 'notes.md'));
    await viewer.editor.replaceText('A note from another window.\n');
    await viewer.editor.save();
    const recorded = await waitForEvent(workspace, 'ExternalSaveRecorded');
    assert.ok(recorded.event.type === 'ExternalSaveRecorded');
    assert.equal(recorded.event.save.path, 'notes.md');
    assert.deepEqual(recorded.actor, { kind: 'human', name: 'Ada Lovelace' });
    await viewer.command('Mission Control: Show Mission Control');
  });

  it('its Pause reaches the owner and is answered', async () => {
    await viewer.command('Mission Control: Pause');
    await viewer.quickInput.answer('Lunch');
    await viewer.notifications.waitFor(/^Pause: Pauses after the current attempt of first/);
    const paused = await waitForEvent(workspace, 'PauseRequested');
    assert.ok(paused.event.type === 'PauseRequested');
    assert.deepEqual([paused.event.decision.actor.name, paused.event.decision.reason], ['Ada Lovelace', 'Lunch']);
    await workspace.openGate('first');
    await waitForStatus(owner, 'Mission watched paused');
    await waitForStatus(viewer, 'Mission watched paused');
    assert.equal(workspace.executions('second'), 0);
  });

  it('its Resume makes it the owner, because there is no other', async () => {
    await viewer.command('Mission Control: Resume');
    await viewer.quickInput.answer('Back again');
    await waitFor(() => workspace.executions('second') === 1, { what: 'the second task' });
    await viewer.terminals.waitForText('second · command (Mission watched)', 'Step started');
  });

  it('forged messages of the page change nothing', async () => {
    const before = await journalOf(workspace.workspaceDir);
    const frame = await viewer.webviewFrame('Mission Control');
    const page = frame.parentFrame();
    assert.ok(page);
    const missionId = (await waitForEvent(workspace, 'MissionReceived')).stream;
    const forged = [
      { type: 'command', command: 'missionControl.cancelMission', missionId },
      { type: 'CancelMission', mission_id: missionId },
      { type: 'ready', command: { type: 'StopTask', task_id: 'second' }, missionId },
      { type: 'snapshot', sequence: 1e9, views: [] },
      { __proto__: null, type: 'ready' },
      { type: 'RetryTask', task_id: 'first', reason: 'forged', actor: { kind: 'human', name: 'Mallory' } },
      ['ready'],
      'ready',
      null,
    ];
    for (const message of forged)
      await page.evaluate(`globalThis.__vscode_post_message__('onmessage', { message: ${JSON.stringify(message)} })`);
    // The page still gets snapshots, so the messages before were received.
    const sequence = async (): Promise<number> =>
      Number(await frame.locator('[data-sequence]').getAttribute('data-sequence'));
    const shown = await sequence();
    await page.evaluate(`globalThis.__vscode_post_message__('onmessage', { message: { type: 'ready' } })`);
    await waitFor(async () => (await sequence()) > shown, { what: 'the snapshot that was asked for' });
    assert.deepEqual(await journalOf(workspace.workspaceDir), before);
    assert.deepEqual(await viewer.dialogs.isOpen(), false);
  });

  it('a copy of the folder is found, and nothing in it is started or written', async () => {
    const copy = path.join(path.dirname(workspace.workspaceDir), 'copy');
    cpSync(workspace.workspaceDir, copy, { recursive: true });
    const before = await journalOf(copy);
    const processes = (await server.processes()).filter(({ command }) => command.includes(`${copy}${path.sep}`));
    const window = await server.openWindow(copy);
    await window.command('Mission Control: Show Mission Control');
    const frame = await window.webviewFrame('Mission Control');
    await waitFor(async () => (await frame.locator('.sentence').innerText()).includes('Found, not started here.'), {
      what: 'the headline of a found mission',
    });
    await window.screenshot('found');
    assert.deepEqual(await journalOf(copy), before);
    assert.deepEqual(
      (await server.processes()).filter(({ command }) => command.includes(`${copy}${path.sep}`)),
      processes,
    );
    assert.deepEqual(
      (await window.terminals.list()).filter((name) => name.includes('(Mission ')),
      [],
    );
    assert.equal(
      existsSync(path.join(copy, '.mission-control/bin')),
      existsSync(path.join(workspace.workspaceDir, '.mission-control/bin')),
    );
    await window.close();
  });

  it('the mission completes with one execution of each task', async () => {
    await workspace.openGate('second');
    await waitForStatus(owner, 'Mission watched completed');
    assert.deepEqual([workspace.executions('first'), workspace.executions('second')], [1, 1]);
  });

  it('the window that ran the mission reports its end, and no other does', async () => {
    const told = async (window: VscodeWindow): Promise<number> =>
      (await window.notifications.list()).filter(({ text }) => text === 'Mission watched completed.').length;
    await waitFor(async () => (await told(viewer)) === 1, { what: 'the notification' });
    await waitForStatus(owner, 'Mission watched completed');
    // Nothing shows that something will not come; other windows wait two seconds before they would tell.
    for (const until = Date.now() + 5_000; Date.now() < until;) assert.equal(await told(owner), 0);
    assert.equal(await told(viewer), 1);
  });
});

describe('Restricted Mode', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;
  let keptBack: string;

  story(async () => {
    workspace = await makeMissionWorkspace('not-trusted', ['only'], { approved: true });
    keptBack = path.join(path.dirname(workspace.workspaceDir), 'plan.json');
    renameSync(workspace.planPath, keptBack);
    window = await openMissionWindow(workspace, { trust: 'on' });
  });

  it('says in the views that nothing may start', async () => {
    const trees = new Trees(window.page);
    await window.command('View: Show Mission Control');
    const missions = await trees.welcome('Missions');
    assert.match(missions.text, /not trusted: .* nothing is approved, started or resumed/);
    assert.deepEqual(missions.buttons, ['Manage Workspace Trust', 'Open Walkthrough']);
    const plans = await trees.welcome('Plans');
    assert.match(plans.text, /not trusted, plans are only validated/);
    assert.deepEqual(plans.buttons, []);
    await window.screenshot('views-untrusted');
  });

  it('validates, and starts and writes nothing', async () => {
    renameSync(keptBack, workspace.planPath);
    await window.editor.open(workspace.planPath);
    await window.command('Mission Control: Validate Plan');
    await window.notifications.waitFor(/is valid/);
    await window.command('Mission Control: Run Plan');
    const refusal = await window.notifications.waitFor(/WORKSPACE_UNTRUSTED/);
    assert.match(refusal.text, /Manage Workspace Trust/);
    await window.command('Mission Control: Approve Plan');
    await waitFor(
      async () =>
        (await window.notifications.list()).filter(({ text }) => text.includes('WORKSPACE_UNTRUSTED')).length === 2,
      { what: 'the second refusal' },
    );
    assert.equal(existsSync(path.join(workspace.workspaceDir, '.mission-control')), false);
    await window.screenshot('restricted');
  });

  it('once trusted, shows a plan that another person approved before it runs', async () => {
    await window.grantTrust();
    await window.editor.open(workspace.planPath);
    await window.command('Mission Control: Run Plan');
    await window.quickInput.answer('Ada Lovelace');
    const page = await approveShown(window, 'Approve and Run');
    assert.match(page, /The file says that it is approved/);
    await window.terminals.waitForText('only · command (Mission not-trusted)', 'Step started');
    await workspace.openGate('only');
    await waitForStatus(window, 'Mission not-trusted completed');
  });
});
