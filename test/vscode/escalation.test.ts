import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { MissionEvent } from '../../src/core/model/events';
import { writeFakeClaude } from '../cli/fakeClaude';
import { approveShown } from './approving';
import { makeScratch, type Scratch } from './harness/scratch';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { looksOf, unfold } from './panelChecks';
import { answerName, journalOf, openMissionWindow, verifyPlanEvidence, waitForStatus } from './missionWorkspace';

/** A mission whose agent is denied a directory that its plan does not allow, and the person who is asked. */
describe('a worker that is denied a directory, in the real VS Code', () => {
  let scratch: Scratch;
  let window: VscodeWindow;
  let outside: string;
  let gate: string;
  const denied = (): string => path.join(outside, 'note.txt');

  story(async () => {
    scratch = await makeScratch({
      'docs/plans/PLAN_denied.json': planText('denied'),
      'docs/plans/PLAN_aborted.json': planText('aborted'),
      'README.md': '# A workspace\n',
    });
    const folder = path.dirname(scratch.workspaceDir);
    outside = path.join(folder, 'shared-notes');
    gate = path.join(folder, 'gate');
    await mkdir(outside);
    const claude = path.join(folder, 'claude');
    writeFakeClaude(claude, program(outside, gate));
    window = await openMissionWindow(scratch, { userSettings: { 'missionControl.claude.path': claude } });
  });

  const run = async (planId: string): Promise<void> => {
    await window.editor.open(path.join(scratch.workspaceDir, `docs/plans/PLAN_${planId}.json`));
    await window.command('Mission Control: Approve Plan');
    if (planId === 'denied') await answerName(window);
    await approveShown(window);
    await window.notifications.waitFor(new RegExp(`Plan ${planId} is approved`));
    await window.command('Mission Control: Run Plan');
  };
  const events = async (): Promise<readonly MissionEvent[]> =>
    (await journalOf(scratch.workspaceDir)).map(({ event }) => event);
  const waitForEvents = (type: MissionEvent['type'], count: number): Promise<unknown> =>
    waitFor(async () => (await events()).filter((event) => event.type === type).length === count, {
      what: `event ${type} (${count})`,
    });
  /** Everything that a pause writes of itself: nothing is added to the journal then until a person decides. */
  const waitUntilRecorded = (): Promise<unknown> =>
    waitFor(
      async () => {
        const all = await events();
        const issued = all.findLastIndex(({ type }) => type === 'PacketIssued');
        return all.slice(issued).some(({ type }) => type === 'HandoffWritten');
      },
      { what: 'the hand-off of the paused mission' },
    );
  const panelText = async (part: string | RegExp): Promise<string> => {
    const frame = await window.webviewFrame('Mission Control');
    return waitFor(
      async () => {
        const text = await frame.locator('main').innerText();
        return (typeof part === 'string' ? text.includes(part) : part.test(text)) && text;
      },
      { what: `${String(part)} on the panel` },
    );
  };

  it('pauses its mission: status bar, one notification, and the panel with the blocker', async () => {
    await run('denied');
    await waitForStatus(window, 'Mission denied paused');
    assert.equal((await window.statusBarItem('missionControl.status'))?.kind, 'error');
    const told = await window.notifications.waitFor(/Mission denied is paused: task report is blocked/);
    assert.deepEqual([told.severity, told.buttons], ['error', ['Open', 'Grant and Resume', 'Abort']]);
    assert.ok(
      /Claude was denied .*\. You may grant that for one attempt\./.test(told.text) &&
        !/NON_COMPLIANT|Manual/.test(told.text),
      told.text,
    );
    assert.equal((await window.notifications.list()).filter(({ text }) => text.includes('is blocked')).length, 1);
    await window.screenshot('escalation-notification');
    await panelText('task report: it is blocked');
    await window.screenshot('escalation');
    await unfold(await window.webviewFrame('Mission Control'));
    const text = await panelText('mission grant ');
    assert.ok(text.includes('Grant it'), text);
    // In the colours that VS Code has before a person chooses any.
    assert.deepEqual(await looksOf(await window.webviewFrame('Mission Control')), []);
  });

  it('opens the recovery packet from the notification', async () => {
    await window.notifications.click(/Mission denied is paused/, 'Open');
    const frame = await window.webviewFrame(/\.md$/);
    const text = await waitFor(
      async () => {
        const shown = await frame.locator('body').innerText();
        return shown.includes('mission grant ') && shown;
      },
      { what: 'the packet' },
    );
    assert.ok(text.includes(denied()), text);
  });

  it('that is resumed as mended, and was not, asks once more', async () => {
    await window.command('Mission Control: Resume');
    await window.quickInput.answer('I believe that it is fixed');
    await waitForEvents('PacketIssued', 2);
    const resolved = (await events()).find(({ type }) => type === 'PacketResolved');
    assert.ok(resolved?.type === 'PacketResolved' && resolved.outcome === 'retry-repair');
    await waitForStatus(window, 'Mission denied paused');
    await window.notifications.waitFor(/Mission denied is paused/);
  });

  it('changes nothing where a grant is cancelled, names no whole path, or holds nothing of what was denied', async () => {
    await waitUntilRecorded();
    const before = (await events()).length;
    await window.notifications.click(/Mission denied is paused/, 'Grant and Resume');
    const asked = await window.quickInput.read();
    assert.deepEqual([asked.title, asked.value], ['Grant and Resume', outside]);
    assert.ok(asked.message.includes('report'), asked.message);
    await window.screenshot('escalation-grant');
    await window.quickInput.dismiss();

    await window.command('Mission Control: Grant and Resume');
    await waitFor(async () => (await window.quickInput.read()).value === outside, { what: 'the question' });
    const input = window.page.locator('.quick-input-widget .quick-input-box input');
    await input.fill('shared-notes');
    assert.equal(await window.quickInput.press('Enter'), true);
    await waitFor(async () => (await window.quickInput.read()).message.includes('Give the whole path'), {
      what: 'the refusal of a relative path',
    });
    await window.quickInput.dismiss();

    await window.command('Mission Control: Grant and Resume');
    await waitFor(async () => (await window.quickInput.read()).value === outside, { what: 'the question' });
    await window.quickInput.answer(scratch.serverDataDir);
    await window.notifications.waitFor(
      /does not hold .*note\.txt, which the worker was denied\. Nothing was granted\./,
    );
    const added = (await events()).slice(before).map(({ type }) => type);
    assert.deepEqual(added, []);
  });

  it('is granted the directory through the palette: the question says what, for which task and how long', async () => {
    await window.command('Mission Control: Grant Directory');
    await waitFor(async () => (await window.quickInput.read()).value === outside, { what: 'the question' });
    await window.quickInput.answer(outside);
    const asked = await waitFor(
      async () => {
        const { message } = await window.quickInput.read();
        return message.includes('reason') && message;
      },
      { what: 'the question for the reason' },
    );
    for (const part of ['one attempt of task report', outside]) assert.ok(asked.includes(part), `${part} in ${asked}`);
    await window.screenshot('escalation-grant-reason');
    await window.quickInput.answer('The notes are shared');
    await waitForEvents('DirectoryGranted', 1);
  });

  it('shows that the CLI waits for its provider, on the panel and where the status bar is pointed at', async () => {
    await window.command('Mission Control: Show Mission Control');
    await panelText(/waits for the provider, 40 s/);
    const tooltip = await window.statusBarTooltip('missionControl.status');
    assert.ok(tooltip.includes('waits for the provider, 40 s'), tooltip);
    await window.screenshot('waits-for-provider');
    await writeFile(gate, '');
  });

  it('completes with the directory on its launch line, and the evidence records the grant and verifies', async () => {
    await waitForStatus(window, 'Mission denied completed');
    assert.equal(readFileSync(denied(), 'utf8'), 'A note.\n');
    const launches = readFileSync(path.join(path.dirname(outside), 'claude.launches'), 'utf8')
      .trim()
      .split('\n');
    const added = launches.map((line) => (JSON.parse(line) as string[]).includes('--add-dir'));
    assert.deepEqual(added, [false, false, true]);
    const evidence = path.join(scratch.workspaceDir, 'docs/ops/executions/denied/TASK_report.json');
    assert.ok(readFileSync(evidence, 'utf8').includes('The notes are shared'));
    assert.equal(verifyPlanEvidence(scratch.workspaceDir, 'denied').valid, true);
    const text = await panelText(/permission recovery/i);
    for (const part of [denied(), `reading and writing of ${outside}`, 'Ada Lovelace'])
      assert.ok(text.includes(part), `${part} in ${text}`);
    await window.screenshot('escalation-granted');
    await window.page.setViewportSize({ width: 420, height: 900 });
    await window.screenshot('escalation-granted-narrow');
    await window.page.setViewportSize({ width: 1400, height: 900 });
  });

  it('is aborted from the notification after one question, and kept by its other answer', async () => {
    await run('aborted');
    await window.notifications.click(/Mission aborted is paused/, 'Abort');
    const kept = await window.dialogs.answer('Keep Running');
    assert.equal(kept.message, 'Cancel mission aborted?');
    assert.equal(
      (await events()).some(({ type }) => type === 'CancelRequested'),
      false,
    );
    await window.command('Mission Control: Cancel Mission');
    await window.dialogs.answer('Cancel Mission');
    await window.quickInput.answer('Not worth it');
    await waitForStatus(window, 'Mission aborted canceled');
    assert.equal(existsSync(path.join(scratch.workspaceDir, 'docs/out/done.txt')), true);
    assert.equal(verifyPlanEvidence(scratch.workspaceDir, 'aborted').valid, true);
  });
});

/** Without the directory it is denied; with it, it waits for its provider until the gate is open, and is done. */
function program(outside: string, gate: string): string {
  return `
  const outside = ${JSON.stringify(outside)};
  const note = path.join(outside, 'note.txt');
  if (!added.includes(outside)) { denied(note); end('blocked'); return; }
  say({ type: 'system', subtype: 'api_retry', attempt: 1, max_retries: 10, retry_delay_ms: 40000, error_status: 529, error: 'overloaded' });
  while (!fs.existsSync(${JSON.stringify(gate)})) await wait(100);
  fs.mkdirSync('docs/out', { recursive: true });
  fs.writeFileSync('docs/out/done.txt', 'Done.\\n');
  fs.writeFileSync(note, 'A note.\\n');
  end('done', 'docs/out/done.txt', note);`;
}

function planText(planId: string): string {
  const plan = {
    contract_version: 'S2-B-05.v1',
    plan_id: planId,
    goal_id: 'G1',
    created_at: '2026-01-01T00:00:00Z',
    planner: 'tester',
    status: 'DRAFT',
    risk: { level: 1, notes: '' },
    scope: { allowed: ['file_edit'], forbidden: ['network'] },
    tasks: [
      {
        task_id: 'report',
        description: 'Write the report and a note of it.',
        paths: ['docs/out'],
        worker: 'claude',
        prompt: 'Write them.',
      },
    ],
    execution: {
      mode: 'sequential',
      recovery: { allow: [] },
      delegation: { claude_code: true, constraints: [] },
    },
    approval: { required: true },
    success_criteria: ['no_scope_violation'],
  };
  return `${JSON.stringify(plan, null, 2)}\n`;
}
