import assert from 'node:assert/strict';
import type { ProcessRecord } from '../../src/contracts/launch';
import type { Server } from './harness/server';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { evidenceStatus, living, started, waitForStarted, waitForStrips } from './laneChecks';
import { runInWindow, verifyEvidence, waitForEvent, waitForStatus, type MissionWorkspace } from './missionWorkspace';

describe('a mission with three lanes, whose window is closed in the middle', () => {
  const lanes = ['collect', 'measure', 'review'];
  let workspace: MissionWorkspace;
  let server: Server;
  let window: VscodeWindow;
  let first: readonly ProcessRecord[];

  story(async () => {
    ({ workspace, server, window } = await runInWindow('three-lanes', [...lanes, 'publish'], {
      lanes: 3,
      after: { publish: lanes },
    }));
  });

  it('runs three supervisors at once, each with a terminal of its own', async () => {
    first = await waitForStarted(workspace, ...lanes);
    assert.equal(await living(...first), 6);
    assert.equal(new Set(first.map(({ supervisor }) => supervisor.pid)).size, 3);
    await waitForTerminals(
      window,
      lanes.map((task) => `${task} · command (Mission three-lanes)`),
    );
    for (const task of lanes)
      await window.terminals.waitForText(`${task} · command (Mission three-lanes)`, `Step started: out/${task}.txt`);
  });

  it('shows three lanes in the panel and the status bar', async () => {
    await waitForStatus(window, 'Mission three-lanes 0/4 · 3 lanes');
    assert.equal((await window.statusBarItem('missionControl.status'))?.kind, 'none');
    const tooltip = (await window.statusBarTooltip('missionControl.status'))
      .split('\n')
      .map((line) => line.replace(/\s+/g, ' '));
    assert.deepEqual(
      [tooltip[0], ...tooltip.slice(1, 4).map((line) => line.replace(/(?: \d+ min)? \d+ s, .*/, ''))],
      ['three-lanes: 0 of 4 tasks done, 3 lanes', ...lanes.map((task) => `${task}: command, running`)],
    );
    for (const line of tooltip.slice(1, 4))
      assert.match(line, /last output (\d+ min )?\d+ s ago, \d+ lines?, [\d.]+ (bytes|kB)$/);
    assert.match(tooltip[4] ?? '', /^For (\d+ min )?\d+ s\.$/);
    await window.command('Mission Control: Show Mission Control');
    await waitForStrips(window, ...lanes);
    const frame = await window.webviewFrame('Mission Control');
    assert.equal(await frame.locator('.sentence').innerText(), '3 tasks run: collect, measure, review.');
    await window.screenshot('lanes');
  });

  it('can be read in dark and light colours, in a wide and in a narrow window', async () => {
    const { page } = window;
    const toggle = 'Preferences: Toggle between Light/Dark Themes';
    const widths = { wide: { width: 1400, height: 900 }, narrow: { width: 560, height: 900 } };
    await page.setViewportSize(widths.narrow);
    await window.screenshot('lanes-narrow');
    await assertNothingCut(window);
    await window.command(toggle);
    await page.locator('.monaco-workbench.vs-dark').waitFor();
    await window.screenshot('lanes-narrow-dark');
    await page.setViewportSize(widths.wide);
    await assertNothingCut(window);
    await window.screenshot('lanes-dark');
    await window.command(toggle);
    await page.locator('.monaco-workbench.vs').waitFor();
  });

  it('asks whose terminal is meant', async () => {
    await window.command('View: Toggle Panel Visibility');
    await window.command('Mission Control: Show Worker Terminal');
    const question = await waitFor(
      async () => {
        const read = await window.quickInput.read();
        return read.items.length === 3 && read;
      },
      { what: 'the question for the task' },
    );
    assert.deepEqual([question.placeholder, question.items], ['Which task?', lanes]);
    await window.quickInput.pick('measure');
    await waitFor(async () => (await window.terminals.activeText()).includes('Step started: out/measure.txt'), {
      what: 'the terminal of measure in front',
    });
  });

  it('goes on while no window is open', async () => {
    await window.close();
    await server.waitForExtensionHosts(0);
    assert.equal(await living(...first), 6);
    await workspace.openGate('review');
    await waitFor(async () => (await living(first[2])) === 0, { what: 'review to end alone' });
  });

  it('is attached to by the next window: the same processes, their terminals back', async () => {
    window = await server.openWindow();
    await waitForEvent(workspace, 'OwnerResumed');
    await waitForStatus(window, 'Mission three-lanes 1/4 · 2 lanes');
    assert.equal(await living(first[0], first[1]), 4);
    const workers = (await workspace.events()).filter(
      ({ event }) => event.type === 'LaunchRequested' && event.purpose.kind === 'worker',
    );
    assert.equal(workers.length, 3);
    for (const task of ['collect', 'measure'])
      await window.terminals.waitForText(`${task} · command (Mission three-lanes)`, `Step started: out/${task}.txt`);
    await waitFor(
      async () => {
        const names = await missionTerminals(window);
        return ['collect', 'measure'].every(
          (task) => names.filter((name) => name === `${task} · command (Mission three-lanes)`).length === 1,
        );
      },
      { what: 'one terminal for each lane' },
    );
    await window.command('Mission Control: Show Mission Control');
    await waitForStrips(window, 'collect', 'measure');
    assert.equal(workspace.executions('publish'), 0);
    await window.screenshot('lanes-reopened');
  });

  it('completes with SUCCESS for each task, one execution each, and evidence that verifies', async () => {
    for (const task of ['collect', 'measure', 'publish']) await workspace.openGate(task);
    await waitForStatus(window, 'Mission three-lanes completed');
    for (const task of [...lanes, 'publish']) {
      assert.equal(workspace.executions(task), 1, task);
      assert.equal(evidenceStatus(workspace, task), 'SUCCESS', task);
    }
    const events = (await workspace.events()).map(({ event }) => event);
    const count = (type: string): number => events.filter((event) => event.type === type).length;
    assert.deepEqual([count('AttemptStarted'), count('AttemptEnded'), count('OwnerResumed')], [4, 4, 1]);
    const nonces = (await started(workspace)).map(({ nonce }) => nonce);
    assert.equal(new Set(nonces).size, nonces.length);
    assert.equal(await living(...(await started(workspace))), 0);
    assert.equal(verifyEvidence(workspace).valid, true);
    await waitForTerminals(window, ['publish · command (Mission three-lanes)']);
    // The terminals of the lanes closed after it had opened, so the panel was never without one and stayed.
    assert.equal(await window.page.locator('.part.panel').isVisible(), true);
    await window.screenshot('lanes-completed');
  });
});

async function missionTerminals(window: VscodeWindow): Promise<readonly string[]> {
  return (await window.terminals.list()).filter((name) => name.includes('(Mission ')).sort();
}

async function waitForTerminals(window: VscodeWindow, wanted: readonly string[]): Promise<void> {
  await waitFor(async () => (await missionTerminals(window)).join() === [...wanted].sort().join(), {
    what: `the terminals ${wanted.join(', ')}`,
  });
}

/** The page scrolls downwards only: nothing of it lies beyond its right edge. */
async function assertNothingCut(window: VscodeWindow): Promise<void> {
  const frame = await window.webviewFrame('Mission Control');
  await waitFor(
    async () => frame.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth'),
    { what: 'the page to fit into its width' },
  );
}
