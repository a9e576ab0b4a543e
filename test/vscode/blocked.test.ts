import assert from 'node:assert/strict';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { runInWindow, verifyEvidence, waitForEvent, waitForStatus, type MissionWorkspace } from './missionWorkspace';

describe('a mission that needs a person', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    ({ workspace, window } = await runInWindow('needs-you', ['build', 'ship']));
  });

  it('shows the blocked task in the status bar, in one notification and on the panel', async () => {
    await window.terminals.waitForText('build · command (Mission needs-you)', 'Step started');
    await workspace.breakTask('build');
    const news = await window.notifications.waitFor(/task build is blocked/);
    assert.deepEqual(
      [news.severity, news.buttons],
      ['warning', ['Resolve Blocker', 'Retry Task', 'Open Recovery Packet']],
    );
    await waitForStatus(window, 'Mission needs-you blocked');
    assert.equal((await window.statusBarItem('missionControl.status'))?.kind, 'error');
    const frame = await window.webviewFrame('Mission Control');
    await waitFor(
      async () => (await frame.locator('.card').first().innerText()).includes('The worker exited with 3.'),
      {
        what: 'the block in the panel',
      },
    );
    // Why stands on its card.
    assert.match(await frame.locator('.sentence').innerText(), /^Task build is blocked\.( \S+ waits for it\.)?$/);
    await window.terminals.waitForText(
      'build · command (Mission needs-you)',
      /\nWorker exited with code 3\. Press Enter to close this terminal\.\nTask build is blocked: The worker exited with 3\.\nWhat you can do: Mission Control: Retry Task, .*\n {2}mission retry needs-you-\S+ build --by NAME --reason TEXT\n/,
    );
    await window.screenshot('blocked');
  });

  it('opens the recovery packet', async () => {
    await window.command('Mission Control: Open Recovery Packet');
    const frame = await window.webviewFrame(/\.md$/);
    const text = await waitFor(
      async () => {
        const shown = await frame.locator('body').innerText();
        return shown.includes('retry-repair') && shown;
      },
      { what: 'the packet' },
    );
    assert.match(text, /Where no orchestrator runs, this is for display only: a person decides\./);
    assert.doesNotMatch(text, /main-chat-display-only/);
    await window.screenshot('recovery-packet');
  });

  it('refuses to resume while the packet is open, and says what to do', async () => {
    await window.command('Mission Control: Resume');
    await window.quickInput.answer('Let us go on');
    const refusal = await window.notifications.waitFor(/^Resume was refused \(PACKET_OPEN\)/);
    assert.match(refusal.text, /Next: /);
  });

  it('retries the task from the palette with a reason', async () => {
    await workspace.mendTask('build');
    await window.command('Mission Control: Retry Task');
    await window.quickInput.answer('The cause is gone');
    await waitFor(async () => /Step started(?![^]*Worker exited)/.test(await window.terminals.activeText()), {
      what: 'the terminal of the new attempt in front of the ended one',
    });
    assert.equal(await window.page.evaluate('document.activeElement?.closest(".terminal-wrapper") === null'), true);
    await window.screenshot('terminal-second-attempt');
    await window.terminals.waitForText('#2 build · command · attempt 2 (Mission needs-you)', 'Step started');
    const retried = await waitForEvent(workspace, 'AttemptStarted', 2);
    assert.ok(retried.event.type === 'AttemptStarted' && retried.event.decided_by);
    assert.deepEqual(
      [retried.event.decided_by.actor.name, retried.event.decided_by.reason],
      ['Ada Lovelace', 'The cause is gone'],
    );
    await workspace.openGate('build');
  });

  it('stops the worker of a closed terminal where its notification is asked to, after which the mission waits', async () => {
    await window.terminals.waitForText('ship · command (Mission needs-you)', 'Step started: out/ship.txt');
    await window.terminals.close('ship · command (Mission needs-you)');
    await window.notifications.click(/^The terminal of task ship of mission needs-you is closed\. /, 'Stop Worker');
    const asked = await window.dialogs.answer('Stop Worker');
    assert.equal(asked.message, 'Stop the worker of task ship of mission needs-you?');
    await window.quickInput.answer('No need for it');
    const stop = await waitForEvent(workspace, 'TaskStopRequested');
    assert.ok(stop.event.type === 'TaskStopRequested');
    assert.equal(stop.event.decision.reason, 'No need for it');
    await window.notifications.waitFor(/Mission needs-you is paused: task ship was stopped by Ada Lovelace/);
    await waitForStatus(window, 'Mission needs-you paused');
    await window.command('Mission Control: Show Mission Control');
    const frame = await window.webviewFrame('Mission Control');
    const panel = await waitFor(
      async () => {
        const text = await frame.locator('main').innerText();
        return text.includes('task ship: it is stopped') && text;
      },
      { what: 'the stop in the panel' },
    );
    assert.doesNotMatch(panel, /MISSING_REQUIRED_INPUT/);
    await window.screenshot('stopped');
  });

  it('is retried once more and completes with evidence that verifies', async () => {
    await window.notifications.click(/Mission needs-you is paused/, 'Retry Task');
    await window.quickInput.answer('Closed by mistake');
    await workspace.openGate('ship');
    await waitForStatus(window, 'Mission needs-you completed');
    assert.deepEqual([workspace.executions('build'), workspace.executions('ship')], [2, 2]);
    assert.equal(verifyEvidence(workspace).valid, true);
  });
});

describe('a worker stopped and a mission canceled from the palette', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    ({ workspace, window } = await runInWindow('cut-short', ['one', 'two']));
    await window.terminals.waitForText('one · command (Mission cut-short)', 'Step started');
  });

  it('stops the worker after a confirmation, with the reason', async () => {
    await window.command('Mission Control: Stop Worker');
    const dialog = await window.dialogs.answer('Stop Worker');
    assert.equal(dialog.message, 'Stop the worker of task one of mission cut-short?');
    await window.quickInput.answer('Wrong folder');
    const ended = await waitForEvent(workspace, 'WorkerEnded');
    assert.ok(ended.event.type === 'WorkerEnded');
    assert.equal(ended.event.end.reason, 'stop_requested');
    await window.notifications.waitFor(/Mission cut-short is paused/);
    await window.terminals.waitForText(
      'one · command (Mission cut-short)',
      /\nTask one was stopped by Ada Lovelace: Wrong folder\.?\nWhat you can do: Mission Control: Retry Task, /,
    );
    await window.screenshot('terminal-stopped');
  });

  it('prints in the terminal what became of the task, also after a reload', async () => {
    await window.reload();
    await window.terminals.waitForText(
      'one · command (Mission cut-short)',
      /\nTask one was stopped by Ada Lovelace: Wrong folder\.?\nWhat you can do: Mission Control: Retry Task, /,
    );
  });

  it('cancels the mission after one question with two answers', async () => {
    await window.command('Mission Control: Cancel Mission');
    const kept = await window.dialogs.answer('Keep Running');
    assert.deepEqual(kept.buttons.toSorted(), ['Cancel Mission', 'Keep Running']);
    assert.equal(await window.quickInput.isOpen(), false);
    await window.command('Mission Control: Cancel Mission');
    await window.dialogs.read();
    await window.screenshot('cancel');
    await window.dialogs.answer('Cancel Mission');
    await window.quickInput.answer('Not needed any more');
    await window.notifications.waitFor(/^Mission cut-short canceled/);
    await waitForStatus(window, 'Mission cut-short canceled');
    await window.terminals.waitForText(
      'one · command (Mission cut-short)',
      /\nTask one is canceled: .*Not needed any more\.?\s*$/,
    );
    await window.screenshot('terminal-canceled');
    assert.deepEqual([workspace.executions('one'), workspace.executions('two')], [1, 0]);
    const acknowledge = 'Mission Control: Acknowledge Failure';
    assert.ok(!(await window.quickInput.commandsMatching(acknowledge)).includes(acknowledge));
    assert.equal(verifyEvidence(workspace).valid, true);
  });
});
