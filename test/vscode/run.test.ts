import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { approvePage, approveShown, pageShown } from './approving';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import {
  answerName,
  makeMissionWorkspace,
  openMissionWindow,
  verifyEvidence,
  waitForStatus,
  type MissionWorkspace,
} from './missionWorkspace';

describe('a plan approved and run through the palette', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    workspace = await makeMissionWorkspace('first-run', ['collect', 'report']);
    const home = path.join(workspace.serverDataDir, 'home');
    mkdirSync(home, { recursive: true });
    writeFileSync(path.join(home, '.gitconfig'), '[user]\n\tname = Grace Hopper\n');
    window = await openMissionWindow(workspace);
  });

  it('is offered for approval as a draft, and stays unchanged when a person closes the page', async () => {
    await window.editor.open(workspace.planPath);
    await window.command('Mission Control: Run Plan');
    assert.equal((await window.quickInput.read()).value, 'Grace Hopper', 'what Git calls this user');
    await answerName(window);
    const page = await pageShown(window, 'Approve and Run');
    assert.match(page, /\nThe plan is a draft\. Look at it before it runs\.\n/);
    await window.screenshot('approve-and-run');
    await window.command('View: Close Editor');
    await waitFor(async () => (await window.editor.activeTab())?.name === path.basename(workspace.planPath), {
      what: 'the plan behind the page',
    });
    assert.match(readFileSync(workspace.planPath, 'utf8'), /"status": "DRAFT"/);
  });

  it('shows what is approved and writes it into the file', async () => {
    await window.command('Mission Control: Approve Plan');
    const page = await pageShown(window);
    await window.screenshot('approval');
    assert.equal(await window.dialogs.isOpen(), false);
    assert.match(page, /^Approve plan first-run as Ada Lovelace\?\n/);
    assert.match(
      page,
      /\nWhat it opens\nNothing confines the worker command and verify commands, .*\nWhat mends it\. /i,
    );
    assert.match(page, /SHA-256\n[0-9A-F]{64} of the file as your approval writes it/);
    for (const part of [
      'collect\n',
      'node tools/step.mjs',
      'out/report.txt',
      'command and verify commands: confined by nothing',
    ])
      assert.ok(page.includes(part), part);
    assert.equal((JSON.parse(readFileSync(workspace.planPath, 'utf8')) as { status: string }).status, 'DRAFT');
    await approvePage(window);
    await window.notifications.waitFor(/^Plan first-run is approved by Ada Lovelace/);
    const plan = JSON.parse(readFileSync(workspace.planPath, 'utf8')) as {
      status: string;
      approval: { approved_by: string };
    };
    assert.deepEqual([plan.status, plan.approval.approved_by], ['APPROVED', 'Ada Lovelace']);
  });

  it('runs it with a live view in a terminal', async () => {
    await window.command('Mission Control: Run Plan');
    await window.terminals.waitForText('collect · command (Mission first-run)', 'Step started: out/collect.txt');
    await waitForStatus(window, 'Mission first-run 0/2');
    await window.screenshot('terminal');
  });

  it('brings the terminal of the live worker to the front', async () => {
    await window.command('View: Toggle Panel Visibility');
    await window.command('Mission Control: Show Worker Terminal');
    await waitFor(async () => (await window.terminals.activeText()).includes('Step started: out/collect.txt'), {
      what: 'the terminal in front',
    });
    assert.deepEqual(await window.terminals.list(), ['collect · command (Mission first-run)']);
  });

  it('shows the mission in the panel', async () => {
    const frame = await window.webviewFrame('Mission Control');
    await waitFor(async () => (await frame.locator('main').innerText()).includes('collect'), {
      what: 'the mission in the panel',
    });
    const text = await frame.locator('main').innerText();
    for (const part of ['first-run', 'running', 'EXECUTING', 'Ada Lovelace'])
      assert.ok(text.includes(part), `${part} in ${text}`);
  });

  it('may be approved once more while it runs, which offers the mission and no second run', async () => {
    await window.command('Notifications: Clear All Notifications');
    await window.editor.open(workspace.planPath);
    await window.command('Mission Control: Approve Plan');
    await approveShown(window);
    const { buttons } = await window.notifications.waitFor(/^Plan first-run is approved by Ada Lovelace/);
    assert.deepEqual(buttons, ['Show Mission Control']);
    await window.notifications.click(/^Plan first-run is approved by Ada Lovelace/, 'Show Mission Control');
    await waitFor(
      async () => (await window.page.locator('.tab.active').allInnerTexts()).join().includes('Mission Control'),
      {
        what: 'the panel in front',
      },
    );
  });

  it('goes on with the next task, completes, and leaves evidence that verifies', async () => {
    await workspace.openGate('collect');
    await window.terminals.waitForText('report · command (Mission first-run)', 'Step started: out/report.txt');
    await window.screenshot('mission-control');
    await workspace.openGate('report');
    const news = await window.notifications.waitFor(/^Mission first-run completed/);
    assert.deepEqual(news.buttons, ['Review Changes', 'Open Evidence']);
    await waitForStatus(window, 'Mission first-run completed');
    assert.deepEqual([workspace.executions('collect'), workspace.executions('report')], [1, 1]);
    assert.equal(verifyEvidence(workspace).valid, true);
    await window.screenshot('completed');
  });

  it('opens the evidence from the notification', async () => {
    await window.notifications.click(/^Mission first-run completed/, 'Open Evidence');
    await waitFor(
      async () => (await window.page.locator('.tab.active').allInnerTexts()).join().includes('EXECUTION_SUMMARY.md'),
      { what: 'the summary' },
    );
    const frame = await window.webviewFrame(/EXECUTION_SUMMARY/);
    await waitFor(async () => (await frame.locator('body').innerText()).includes('2 of 2 tasks succeeded'), {
      what: 'the text of the summary',
    });
    await window.screenshot('evidence');
  });
});
