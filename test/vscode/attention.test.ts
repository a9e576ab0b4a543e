import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openNodePorts } from '../../src/adapters/nodePorts';
import { MissionHost } from '../../src/engine/owner/host';
import { agentCatalog } from '../../src/workers/registry';
import { codeOf } from '../support/refused';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import {
  runInWindow,
  terminalOf,
  verifyEvidence,
  waitForEvent,
  waitForStatus,
  type MissionWorkspace,
} from './missionWorkspace';

describe('a mission whose ledger contradicts itself', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    ({ workspace, window } = await runInWindow('contradicts', ['first', 'second']));
  });

  it('makes the status bar red and is announced once; a person’s own pause does neither', async () => {
    await window.terminals.waitForText('first · command (Mission contradicts)', 'Step started');
    await window.command('Mission Control: Pause');
    await window.quickInput.answer('Lunch');
    await waitForEvent(workspace, 'PauseRequested');
    await workspace.openGate('first');
    await waitForStatus(window, /contradicts paused$/);
    assert.notEqual((await window.statusBarItem('missionControl.status'))?.kind, 'error');

    await pauseByRecovery();
    await waitForStatus(window, 'Mission contradicts paused: records contradict each other');
    assert.equal((await window.statusBarItem('missionControl.status'))?.kind, 'error');
    const told = await window.notifications.waitFor(/needs a person \(LEDGER_INCONSISTENT\)/);
    assert.equal(told.severity, 'error');
    await window.command('Mission Control: Show Mission Control');
    const page = await window.webviewFrame('Mission Control');
    await waitFor(async () => (await page.locator('.pill').innerText()) === 'Paused: needs you', {
      what: 'the mission that needs a person',
    });
    await window.screenshot('ledger-inconsistent');
    assert.equal(workspace.executions('second'), 0);
  });

  /** What an owner journals that comes back to such a ledger (`core/mission/takeover/takeover.ts`). */
  async function pauseByRecovery(): Promise<void> {
    // The key of the window's person seals what is written.
    const { HOME } = process.env;
    process.env['HOME'] = terminalOf(workspace)['HOME'];
    const opened = await openNodePorts({
      workspaceDir: workspace.workspaceDir,
      journal: { kind: 'in_process' },
      toolVersion: '0.0.0-test',
      workers: {
        ...agentCatalog,
        settings: () => ({ path: null, extraArgs: [], envNames: [], model: null }),
        environment: process.env,
      },
      supervisor: { supervisorFile: 'dist/supervisor.cjs' },
      onProblem: (problem) => assert.fail(problem),
    });
    process.env['HOME'] = HOME;
    assert.ok(opened.ok, codeOf(opened));
    const { ports, journal } = opened.value;
    const actor = { kind: 'runner', name: 'mission-control' } as const;
    const options = { tool_version: '0.0.0-test', ticket_seconds: 60, grace_seconds: 1 };
    const host = await waitFor(
      async () => {
        const acquired = await MissionHost.acquire(ports, options, actor);
        return acquired.ok && acquired.value;
      },
      { what: 'the lease, which the window gives back' },
    );
    const last = (await workspace.events()).at(-1);
    assert.ok(last);
    const reason = 'LEDGER_INCONSISTENT: the ledger contradicts itself, nothing is dispatched.';
    const event = { type: 'MissionPaused', code: 'LEDGER_INCONSISTENT', reason } as const;
    const entry = { run_id: randomUUID(), at: new Date().toISOString(), actor, event };
    const fence = (await journal.owner())?.fence ?? 0;
    assert.equal((await ports.journal.append(last.stream, last.seq, fence, [entry])).ok, true);
    await host.release();
    await opened.value.close();
  }
});

describe('a mission that stands still because nothing of its end can be written', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;
  let aside: string;

  story(async () => {
    ({ workspace, window } = await runInWindow('stands-still', ['only']));
    await window.terminals.waitForText('only · command (Mission stands-still)', 'Step started');
    const { stream } = await waitForEvent(workspace, 'WorkerStarted');
    aside = path.join(workspace.workspaceDir, `.mission-control/missions/${stream}/moved-aside`);
    await writeFile(aside, 'A file where a folder has to be.');
    await mkdir(path.join(workspace.workspaceDir, 'docs/ops/executions/stands-still/TASK_only.json'));
    await workspace.openGate('only');
  });

  it('is shown by the status bar, by one notification, and by the panel with the reason and the steps', async () => {
    const told = await window.notifications.waitFor(/needs a person \(EVIDENCE_UNWRITABLE\).*moved-aside/);
    assert.deepEqual([told.severity, told.buttons], ['error', ['Show Mission Control', 'Resume', 'Cancel Mission']]);
    await waitForStatus(window, 'Mission stands-still interrupted: evidence unwritable');
    assert.equal((await window.statusBarItem('missionControl.status'))?.kind, 'error');
    await window.command('Mission Control: Show Mission Control');
    const callout = (await window.webviewFrame('Mission Control')).locator('[data-section=attention]');
    const text = await waitFor(
      async () =>
        (await callout.isVisible()) && (await window.webviewFrame('Mission Control')).locator('main').innerText(),
      {
        what: 'the callout',
      },
    );
    for (const part of ['EVIDENCE_UNWRITABLE', 'moved-aside', 'Mission Control: Resume', 'mission resume stands-still'])
      assert.ok(text.includes(part), `${part} in ${text}`);
    await window.screenshot('attention-next');
  });

  it('refuses to go on while nothing was mended, and goes on when it was', async () => {
    await window.command('Mission Control: Resume');
    await window.quickInput.answer('Perhaps it works now');
    await window.notifications.waitFor(/^Resume was refused \(EVIDENCE_UNWRITABLE\)/);
    await rm(aside);
    await window.command('Mission Control: Resume');
    await window.quickInput.answer('The file is gone');
    await waitForStatus(window, 'Mission stands-still completed');
    await window.terminals.waitForText('only · command (Mission stands-still)', /\nTask only is done: verified\.\s*$/);
    assert.equal(verifyEvidence(workspace).valid, true);
  });
});
