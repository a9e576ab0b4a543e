import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { SubagentResult } from '../../src/contracts/result';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import type { MissionEvent } from '../../src/core/model/events';
import { writeFakeClaude } from '../cli/fakeClaude';
import { approveShown } from './approving';
import { makeScratch, type Scratch } from './harness/scratch';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { looksOf } from './panelChecks';
import { answerName, journalOf, openMissionWindow, verifyPlanEvidence, waitForStatus } from './missionWorkspace';

const complete = 'Mission Control: Complete Intervention';

/** An agent that does its work and leaves out of its result what it changed, and the person who completes it. */
describe('a result that a person completes, in the real VS Code', () => {
  let scratch: Scratch;
  let window: VscodeWindow;
  let packet: string;

  story(async () => {
    scratch = await makeScratch({
      'docs/plans/PLAN_incomplete.json': planText(),
      'README.md': '# A workspace\n',
    });
    const claude = path.join(path.dirname(scratch.workspaceDir), 'claude');
    writeFakeClaude(claude, program);
    window = await openMissionWindow(scratch, { userSettings: { 'missionControl.claude.path': claude } });
  });

  const events = async (): Promise<readonly MissionEvent[]> =>
    (await journalOf(scratch.workspaceDir)).map(({ event }) => event);

  it('pauses its mission: status bar, one notification, and on the panel what is missing, where, and how it goes on', async () => {
    await window.editor.open(path.join(scratch.workspaceDir, 'docs/plans/PLAN_incomplete.json'));
    await window.command('Mission Control: Approve Plan');
    await answerName(window);
    await approveShown(window);
    await window.notifications.waitFor(/Plan incomplete is approved/);
    await window.command('Mission Control: Run Plan');
    await waitForStatus(window, 'Mission incomplete asks you');
    assert.equal((await window.statusBarItem('missionControl.status'))?.kind, 'warning');
    const told = await window.notifications.waitFor(/Mission incomplete asks you\./);
    assert.deepEqual(told.buttons, ['Complete Intervention', 'Show Mission Control']);
    const offered = (await events()).find(({ type }) => type === 'InterventionOffered');
    assert.ok(offered?.type === 'InterventionOffered');
    packet = path.join(scratch.workspaceDir, offered.path);
    await window.notifications.click(/Mission incomplete asks you/, 'Show Mission Control');
    const frame = await window.webviewFrame('Mission Control');
    const text = await waitFor(
      async () => {
        const shown = await frame.locator('main').innerText();
        return shown.includes('The mission asks you') && shown;
      },
      { what: 'the blocker on the panel' },
    );
    for (const part of [
      'changes: names none, and out/report.md changed',
      offered.path,
      'Complete Intervention',
      'mission intervene ',
    ])
      assert.ok(text.includes(part), `${part} in ${text}`);
    assert.equal(await frame.locator('tr[data-task=report] .mark .hidden').innerText(), 'asks you');
    assert.deepEqual(await looksOf(frame), []);
    const terminal = await window.terminals.waitForText(
      'report · claude (Mission incomplete)',
      /\n {2}mission intervene incomplete-\S+ report --by NAME --reason TEXT\n/,
    );
    assert.match(terminal, /\nTask report asks you \(INTERVENTION_REQUIRED\): its result packet is incomplete /);
    assert.doesNotMatch(terminal, /no process runs/);
    await window.screenshot('intervention');
  });

  it('opens the packet, and takes nothing over before the person says why', async () => {
    await window.command(complete);
    await window.quickInput.pick('Open the result packet');
    await waitFor(async () => (await window.editor.activeTab())?.name === 'result.json', { what: 'the packet' });
    await window.screenshot('intervention-packet');
    await window.command(complete);
    await window.quickInput.pick('It is complete');
    await window.quickInput.asks(/The result of report is complete/);
    await window.quickInput.dismiss();
    assert.ok(!(await events()).some(({ type }) => type === 'InterventionCompleted'));
  });

  it('goes on waiting over a window reload, and the command is there', async () => {
    await window.reload();
    await waitForStatus(window, 'Mission incomplete asks you');
    assert.equal((await window.statusBarItem('missionControl.status'))?.kind, 'warning');
    assert.ok((await window.quickInput.commandsMatching(complete)).includes(complete));
    assert.equal((await events()).filter(({ type }) => type === 'InterventionRequested').length, 1);
  });

  it('that was completed is verified once more, the mission goes on to its end, and the evidence names the person', async () => {
    const result = JSON.parse(readFileSync(packet, 'utf8')) as SubagentResult;
    const changes = [{ resource: 'out/report.md', action: 'created', evidence: 'I read it' }];
    await window.editor.open(packet);
    await window.editor.replaceText(JSON.stringify({ ...result, changes }, null, 2));
    await window.command(complete);
    await window.quickInput.pick('It is complete');
    const unsaved = await window.dialogs.read();
    assert.deepEqual(
      [/result\.json has unsaved changes/.test(unsaved.message), unsaved.detail],
      [true, 'Only what is on disk can be taken over.'],
    );
    await window.dialogs.answer('Save and Continue');
    await window.quickInput.answer('It only forgot to name the file');
    await waitForStatus(window, 'Mission incomplete completed');
    const evidence = path.join(scratch.workspaceDir, 'docs/ops/executions/incomplete/TASK_report.json');
    const { attempts = [] } = JSON.parse(readFileSync(evidence, 'utf8')) as TaskEvidence;
    const by = attempts[0]?.intervention?.decision;
    assert.deepEqual(
      [attempts.length, by?.actor.name, by?.reason],
      [1, 'Ada Lovelace', 'It only forgot to name the file'],
    );
    assert.equal(verifyPlanEvidence(scratch.workspaceDir, 'incomplete').valid, true);
    await waitFor(async () => !(await window.quickInput.commandsMatching(complete)).includes(complete), {
      what: 'the command to go',
    });
    await window.screenshot('intervention-done');
  });
});

const program = `
  fs.mkdirSync('out', { recursive: true });
  fs.writeFileSync('out/report.md', 'A report.');
  end('done');`;

function planText(): string {
  const plan = {
    contract_version: 'S2-B-05.v1',
    plan_id: 'incomplete',
    goal_id: 'G1',
    created_at: '2026-01-01T00:00:00Z',
    planner: 'tester',
    status: 'DRAFT',
    risk: { level: 1, notes: '' },
    scope: { allowed: ['file_edit'], forbidden: ['network'] },
    tasks: [
      {
        task_id: 'report',
        description: 'Write the report.',
        paths: ['out'],
        worker: 'claude',
        prompt: 'Write it.',
      },
    ],
    execution: { mode: 'sequential', recovery: { allow: [] }, delegation: { claude_code: true, constraints: [] } },
    approval: { required: true },
    success_criteria: ['no_scope_violation'],
  };
  return `${JSON.stringify(plan, null, 2)}\n`;
}
