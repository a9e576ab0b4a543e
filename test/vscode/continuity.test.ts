import assert from 'node:assert/strict';
import type { Server } from './harness/server';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { waitForStarted } from './laneChecks';
import { runInWindow, verifyEvidence, waitForEvent, waitForStatus, type MissionWorkspace } from './missionWorkspace';

describe('a mission whose window comes and goes in the middle of a task', () => {
  let workspace: MissionWorkspace;
  let server: Server;
  let window: VscodeWindow;

  story(async () => {
    ({ workspace, server, window } = await runInWindow('long-way', ['reload', 'restart', 'close']));
  });

  /** The owner of now has taken over from the journal: an event of its own says so. */
  async function waitForOwner(count: number): Promise<void> {
    await waitForEvent(workspace, 'OwnerResumed', count);
    await waitForStatus(window, /Mission long-way \d\/3/);
  }

  async function assertOneTerminal(task: string): Promise<void> {
    const name = `${task} · command (Mission long-way)`;
    // A terminal that came back has no name for a moment.
    await waitFor(async () => (await window.terminals.list()).includes(name), { what: `the terminal ${name}` });
    await window.terminals.waitForText(name, `Step started: out/${task}.txt`);
    // VS Code adds a shell of its own where it draws the panel before it has brought the terminals back.
    await waitFor(async () => (await window.terminals.list()).filter((one) => one !== 'sh').join() === name, {
      what: `the terminal ${name} to be the only one`,
    });
  }

  it('goes on over a window reload, with the same terminal', async () => {
    await window.terminals.waitForText('reload · command (Mission long-way)', 'Step started: out/reload.txt');
    await window.reload();
    await waitForOwner(1);
    await assertOneTerminal('reload');
    await workspace.openGate('reload');
    await waitFor(() => workspace.executions('restart') === 1, { what: 'the next task' });
    assert.equal(workspace.executions('reload'), 1);
  });

  it('goes on over a restart of the extension host', async () => {
    await waitForStarted(workspace, 'restart');
    await window.restartExtensionHost();
    await waitForOwner(2);
    await assertOneTerminal('restart');
    await workspace.openGate('restart');
    await waitFor(() => workspace.executions('close') === 1, { what: 'the next task' });
    assert.equal(workspace.executions('restart'), 1);
  });

  it('goes on while no window is open, and is finished by the next one', async () => {
    await waitForStarted(workspace, 'close');
    await window.close();
    await server.waitForExtensionHosts(0);
    await workspace.openGate('close');
    window = await server.openWindow();
    await waitForStatus(window, 'Mission long-way completed');
    assert.equal(workspace.executions('close'), 1);
    await window.screenshot('continuity-completed');
  });

  it('leaves evidence that verifies, with one attempt and one worker per task', async () => {
    const events = await workspace.events();
    const count = (type: string): number => events.filter(({ event }) => event.type === type).length;
    assert.deepEqual([count('AttemptStarted'), count('WorkerEnded'), count('OwnerResumed')], [3, 3, 3]);
    assert.equal(verifyEvidence(workspace).valid, true);
  });

  it('reports its end once, also after another reload', async () => {
    const said = async (): Promise<number> =>
      (await window.notifications.list()).filter(({ text }) => /long-way completed/.test(text)).length;
    await waitFor(async () => (await said()) === 1, { what: 'the notification' });
    await window.reload();
    await waitForStatus(window, 'Mission long-way completed');
    assert.equal(await said(), 0);
  });
});
