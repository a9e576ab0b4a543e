import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { approvalAsked, approveShown } from './approving';
import {
  answerName,
  makeMissionWorkspace,
  openMissionWindow,
  verifyEvidence,
  waitForEvent,
  waitForStatus,
  type MissionWorkspace,
  terminalOf,
} from './missionWorkspace';
import { cutInList } from './panelChecks';

describe('a blocker that a person resolves, guided', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    const after = { ship: ['build', 'docs'] };
    workspace = await makeMissionWorkspace('guided', ['build', 'docs', 'ship'], { lanes: 2, after });
    window = await openMissionWindow(workspace);
  });

  /** Without what VS Code draws at the mouse, and for a moment in a terminal whose size has changed. */
  async function picture(name: string): Promise<void> {
    await window.page.mouse.move(700, 300);
    for (const passing of ['.monaco-hover', '.terminal-resize-overlay.visible'])
      await waitFor(async () => !(await window.page.locator(`${passing}:visible`).count()), {
        what: `${passing} to go`,
      });
    await window.screenshot(name);
  }

  // Its pictures, in this order, are the recording of a mission in the README (scripts/readme-pictures.mjs).
  it('is one of a mission that a person approved and started', async () => {
    await window.editor.open(workspace.planPath);
    await window.command('Mission Control: Approve Plan');
    await answerName(window);
    await approvalAsked(window);
    await window.screenshot('recording-1-approval');
    await approveShown(window);
    await window.notifications.waitFor(/Plan guided is approved/);
    await window.command('Mission Control: Run Plan');
    for (const task of ['build', 'docs'])
      await window.terminals.waitForText(`${task} · command (Mission guided)`, 'Step started');
    await waitForStatus(window, /Mission guided 0\/3 · 2 lanes/);
    await window.screenshot('recording-2-running');
    await workspace.openGate('docs');
    await waitForStatus(window, /Mission guided 1\/3/);
    await workspace.breakTask('build');
    await waitForStatus(window, 'Mission guided blocked');
    await window.notifications.waitFor(/task build is blocked/);
    await window.screenshot('recording-3-blocked');
  });

  it('shows what happened and what each outcome does; one that is not possible now says why, and what is', async () => {
    await window.notifications.click(/task build is blocked/, 'Resolve Blocker');
    const shown = await waitFor(
      async () => {
        const state = await window.quickInput.read();
        return state.items.length > 5 && state;
      },
      { what: 'the outcomes' },
    );
    assert.equal(shown.title, 'Resolve Blocker');
    assert.equal(shown.placeholder, 'What is done about task build?');
    assert.match(shown.message, /^build: The worker exited with 3\./);
    await window.screenshot('recording-4-outcomes');
    for (const label of ['Ask a person', 'Leave it blocked', 'Try it again', 'Validate again', 'Resume the mission']) {
      await window.quickInput.narrow(label);
      await waitFor(async () => (await window.quickInput.read()).items.some((item) => item.includes(label)), {
        what: `the outcome ${label}`,
      });
    }
    await window.quickInput.pick(/Resume the mission/);
    const refused = await window.notifications.waitFor(/^Resume the mission is not possible now\./);
    assert.match(
      refused.text,
      /needs a repair first \(child_exit_nonzero\)\. Next: mission packet resolve \S+ --outcome retry-repair/,
    );
  });

  it('has every text that VS Code cuts in a narrow list in full above it, as the keyboard leads there', async () => {
    await window.command('Mission Control: Resolve Blocker');
    await waitFor(async () => (await window.quickInput.read()).title === 'Resolve Blocker', { what: 'the outcomes' });
    await window.page.setViewportSize({ width: 700, height: 900 });
    const cut = new Set<string>();
    const read = new Set<string>();
    for (let before = ''; ;) {
      const message = await waitFor(
        async () => {
          const now = await window.quickInput.read();
          return now.message !== before && now.message;
        },
        { what: 'the next entry above the list' },
      );
      // The first one comes again after the last.
      if (read.has(message)) break;
      read.add(message);
      before = message;
      for (const text of await cutInList(window)) cut.add(text);
      await window.page.keyboard.press('ArrowDown');
    }
    assert.ok(cut.size > 0 && read.size > 5, [...read].join('; '));
    for (const text of cut)
      assert.ok(
        [...read].some((message) => text.split(/\s+/).every((word) => message.includes(word))),
        `${text} in ${[...read].join('; ')}`,
      );
    await window.screenshot('resolve-narrow');
    await window.page.setViewportSize({ width: 1400, height: 900 });
    await window.quickInput.dismiss();
  });

  it('has its metadata revised first, from the same list, with name and reason', async () => {
    await window.command('Mission Control: Resolve Blocker');
    await window.quickInput.pick(/Revise Task/);
    // Of the task whose block is resolved: no question asks which one.
    await waitFor(async () => (await window.quickInput.read()).placeholder === 'What of task build is revised?', {
      what: 'the metadata of task build',
    });
    await window.quickInput.pick(/Longest runtime/);
    await window.quickInput.asks(/1 to 604800/);
    await window.quickInput.answer('7200');
    await window.quickInput.asks(/revised for its next attempt/);
    await window.quickInput.answer('It takes longer here');
    const { event } = await waitForEvent(workspace, 'MetadataRevised');
    assert.ok(event.type === 'MetadataRevised');
    assert.deepEqual(
      [event.task_id, event.before, event.after, event.decision.actor.name],
      ['build', { max_runtime_seconds: 600 }, { max_runtime_seconds: 7200 }, 'Ada Lovelace'],
    );
    // The task stays blocked, so its retry is one click away.
    await window.notifications.click(/^Revise Task.* is revised from attempt 2 on/, 'Retry Task');
    await window.quickInput.asks(/Task build gets another attempt/);
    await window.quickInput.dismiss();
  });

  it('has its ways out as buttons on the page; each opens that list with its way first, and decides nothing', async () => {
    const before = (await workspace.events()).length;
    const page = await window.webviewFrame('Mission Control');
    await window.screenshot('ways-on-page');
    await page.getByRole('button', { name: 'Leave it blocked…' }).click();
    const list = await waitFor(
      async () => {
        const { title, items } = await window.quickInput.read();
        return title === 'Resolve Blocker' && items.length > 5 && items;
      },
      { what: 'the list of ways out' },
    );
    assert.match(list[0] ?? '', /^Leave it blocked/);
    await window.screenshot('ways-from-page');
    await window.quickInput.dismiss();
    assert.equal((await workspace.events()).length, before);
  });

  it('is tried again by the outcome chosen, and the mission completes', async () => {
    // VS Code cuts what the steps before have said.
    await window.command('Notifications: Clear All Notifications');
    await workspace.mendTask('build');
    await workspace.openGate('build');
    await window.command('Mission Control: Resolve Blocker');
    await window.quickInput.pick(/Try it again/);
    await window.quickInput.asks(/Task build: Try it again/);
    await picture('recording-5-reason');
    await window.quickInput.answer('The cause is gone');
    const { event } = await waitForEvent(workspace, 'PacketResolved');
    assert.ok(event.type === 'PacketResolved');
    assert.deepEqual([event.outcome, event.decision.reason], ['retry-repair', 'The cause is gone']);
    await window.terminals.waitForText('ship · command (Mission guided)', 'Step started');
    await picture('recording-6-again');
    await workspace.openGate('ship');
    await waitForStatus(window, 'Mission guided completed');
    await window.notifications.waitFor(/^Mission guided completed/);
    const page = await window.webviewFrame('Mission Control');
    await page.getByText('Evidence verified').first().waitFor();
    await picture('recording-7-completed');
    assert.equal(verifyEvidence(workspace).valid, true);
  });

  it('leaves evidence that names who decided what, and why', async () => {
    await window.notifications.click(/^Mission guided completed/, 'Open Evidence');
    const frame = await window.webviewFrame(/EXECUTION_SUMMARY/);
    await waitFor(async () => (await frame.locator('body').innerText()).includes('The cause is gone'), {
      what: 'the decision in the summary',
    });
    await picture('recording-8-evidence');
  });
});

describe('a blocker of a mission that a terminal ran', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    workspace = await makeMissionWorkspace('from-terminal', ['build'], { approved: true });
    await workspace.breakTask('build');
    const args = ['run', workspace.planPath, '--workspace', workspace.workspaceDir];
    const run = spawnSync(process.execPath, [path.resolve('dist/cli.js'), ...args], {
      encoding: 'utf8',
      env: terminalOf(workspace),
    });
    assert.equal(run.status, 3, run.stdout + run.stderr);
    await workspace.mendTask('build');
    window = await openMissionWindow(workspace);
  });

  it('is resolved by a retry, and the mission goes on in this window also after a reload', async () => {
    await waitForStatus(window, 'Mission from-terminal blocked');
    await window.command('Mission Control: Resolve Blocker');
    await window.quickInput.pick(/Try it again/);
    await window.quickInput.asks(/Task build: Try it again/);
    await window.quickInput.answer('The cause is gone');
    await answerName(window);
    await waitFor(() => workspace.executions('build') === 2, { what: 'the second attempt' });
    const owners = async (): Promise<number> =>
      (await workspace.events()).filter(({ event }) => event.type === 'OwnerResumed').length;
    const before = await owners();
    await window.reload();
    await waitFor(async () => (await owners()) > before, { what: 'the reloaded window to own the mission' });
    await workspace.openGate('build');
    await waitForStatus(window, 'Mission from-terminal completed');
  });
});
