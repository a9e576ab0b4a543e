import assert from 'node:assert/strict';
import type { ProcessRecord } from '../../src/contracts/launch';
import type { Server } from './harness/server';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { living, waitForStarted } from './laneChecks';
import {
  approveAndRun,
  makeMissionWorkspace,
  startMissionServer,
  verifyEvidence,
  waitForStatus,
  type MissionWorkspace,
} from './missionWorkspace';

const tasks = ['left', 'right'];
/** Those that begin when tasks before them are done. */
const later = { next: tasks, last: ['next'] };
const terminalName = (task: string): string => `${task} · command (Mission detached)`;

/** Each way in which a terminal goes that VS Code has; the workers outlive all of them. */
describe('terminals of workers that a person closes, or that their tasks leave behind', () => {
  let workspace: MissionWorkspace;
  let server: Server;
  let window: VscodeWindow;
  let workers: readonly ProcessRecord[];

  story(async () => {
    workspace = await makeMissionWorkspace('detached', [...tasks, ...Object.keys(later)], { lanes: 2, after: later });
    server = await startMissionServer(workspace, { reconnectionGraceSeconds: 5 });
    window = await server.openWindow();
    await approveAndRun(window, workspace);
    workers = await waitForStarted(workspace, ...tasks);
    for (const task of tasks) await window.terminals.waitForText(terminalName(task), 'Step started');
  });

  const assertAllRun = async (): Promise<void> => {
    assert.equal(await living(...workers), 4);
    assert.ok(!(await workspace.events()).some(({ event }) => event.type === 'TaskStopRequested'));
  };
  const listed = async (): Promise<readonly string[]> =>
    (await window.terminals.list()).filter((name) => name.includes('(Mission detached)')).sort();
  const waitForTerminals = (...wanted: readonly string[]): Promise<unknown> =>
    waitFor(async () => (await listed()).join() === wanted.map(terminalName).sort().join(), {
      what: `the terminals of ${wanted.join(', ')}`,
    });

  // The trash icon closes the only terminal in `blocked.test.ts`; beside another one it has no place in the title.
  it('one of two: the worker goes on, and the notification shows its terminal again', async () => {
    await window.terminals.show(terminalName('left'));
    await window.command('Terminal: Kill the Active Terminal Instance');
    const { buttons } = await window.notifications.waitFor(/^The terminal of task left .* Its worker goes on/);
    assert.deepEqual(buttons, ['Show Terminal', 'Stop Worker']);
    await window.screenshot('terminal-closed');
    await waitForTerminals('right');
    await assertAllRun();
    await window.notifications.click(/^The terminal of task left /, 'Show Terminal');
    await window.terminals.waitForText(terminalName('left'), 'Step started');
    await waitForTerminals('left', 'right');
  });

  it('by Kill All Terminals: one notification for all, which shows them again', async () => {
    await window.command('Notifications: Clear All Notifications');
    await window.command('Terminal: Kill All Terminals');
    await window.notifications.waitFor(/^2 terminals of mission detached are closed: /);
    await window.screenshot('terminals-killed');
    const told = (await window.notifications.list()).filter(({ text }) => /terminals? of/.test(text));
    assert.equal(told.length, 1, told.map(({ text }) => text).join());
    await assertAllRun();
    await window.notifications.click(/^2 terminals of mission detached are closed: /, 'Show Terminals');
    await waitForTerminals('left', 'right');
    for (const task of tasks) await window.terminals.waitForText(terminalName(task), 'Step started');
  });

  it('in an editor: the worker goes on', async () => {
    await window.command('Notifications: Clear All Notifications');
    await window.terminals.show(terminalName('right'));
    await window.command('Terminal: Move Terminal into Editor Area');
    await window.page
      .locator('.editor-group-container.active .tab.active', { hasText: terminalName('right') })
      .waitFor();
    await window.command('View: Close Editor');
    await window.notifications.waitFor(/^The terminal of task right /);
    await assertAllRun();
  });

  it('with its window, which is reloaded or closed: nothing is said, and they come back', async () => {
    await window.command('Notifications: Clear All Notifications');
    await window.reload();
    await waitForStatus(window, /Mission detached 0\/4/);
    await window.terminals.waitForText(terminalName('left'), 'Step started');
    await window.close();
    await server.waitForExtensionHosts(0);
    await assertAllRun();
    window = await server.openWindow();
    for (const task of tasks) await window.terminals.waitForText(terminalName(task), 'Step started');
    assert.ok(!(await window.notifications.list()).some(({ text }) => /^The terminal of|terminals of/.test(text)));
    await assertAllRun();
  });

  it('with its window, whose browser is killed: nothing is said, and they come back', async () => {
    await window.vanish();
    await server.waitForExtensionHosts(0);
    await assertAllRun();
    window = await server.openWindow();
    for (const task of tasks) await window.terminals.waitForText(terminalName(task), 'Step started');
    await waitForTerminals(...tasks);
    assert.ok(!(await window.notifications.list()).some(({ text }) => /^The terminal of|terminals of/.test(text)));
    await assertAllRun();
  });

  it('and those of done tasks close when the next one opens', async () => {
    for (const task of tasks) await workspace.openGate(task);
    await window.terminals.waitForText(terminalName('next'), 'Step started');
    await waitForTerminals('next');
  });

  it('unless the setting keeps them: then they stay, also once the mission has ended', async () => {
    await window.changeSettings({ 'missionControl.terminals.keep': true });
    await workspace.openGate('next');
    await window.terminals.waitForText(terminalName('last'), 'Step started');
    await workspace.openGate('last');
    await waitForStatus(window, 'Mission detached completed');
    await waitForTerminals('next', 'last');
    await window.screenshot('terminals-kept');
  });

  it('and each task was executed once', () => {
    const all = [...tasks, ...Object.keys(later)];
    assert.deepEqual(
      all.map((task) => workspace.executions(task)),
      all.map(() => 1),
    );
    assert.equal(verifyEvidence(workspace).valid, true);
  });
});
