import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import { writeFakeClaude } from '../cli/fakeClaude';
import { approveShown } from './approving';
import { makeScratch, type Scratch } from './harness/scratch';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { cutInToast, looksOf, unfold } from './panelChecks';
import {
  answerName,
  journalOf,
  openMissionWindow,
  terminalOf,
  verifyPlanEvidence,
  waitForStatus,
} from './missionWorkspace';

const answerQuestion = 'Mission Control: Answer Question';

/** A worker that asks, a person who answers in words, and one who picks a choice of another person's question. */
describe('a question of a blocked task, in the real VS Code', () => {
  let scratch: Scratch;
  let window: VscodeWindow;

  story(async () => {
    scratch = await makeScratch({ 'docs/plans/PLAN_asking.json': planText(), 'README.md': '# A workspace\n' });
    const claude = path.join(path.dirname(scratch.workspaceDir), 'claude');
    writeFakeClaude(claude, program);
    window = await openMissionWindow(scratch, { userSettings: { 'missionControl.claude.path': claude } });
  });

  const evidence = (task: string): NonNullable<TaskEvidence['attempts']> => {
    const file = path.join(scratch.workspaceDir, `docs/ops/executions/asking/TASK_${task}.json`);
    return (JSON.parse(readFileSync(file, 'utf8')) as TaskEvidence).attempts ?? [];
  };

  /** How often the dialog shows a text, wherever in it. */
  const timesAsked = async (text: string): Promise<number> => (await window.quickInput.text()).split(text).length - 1;

  it('is announced once, with the command that answers it, and shown on the panel as text', async () => {
    await window.editor.open(path.join(scratch.workspaceDir, 'docs/plans/PLAN_asking.json'));
    await window.command('Mission Control: Approve Plan');
    await answerName(window);
    await approveShown(window);
    await window.notifications.waitFor(/Plan asking is approved/);
    await window.command('Mission Control: Run Plan');
    await waitForStatus(window, 'Mission asking asks you');
    assert.equal((await window.statusBarItem('missionControl.status'))?.kind, 'warning');
    assert.deepEqual(await cutInToast(window, 'task report waits for an answer'), []);
    const told = await window.notifications.waitFor(/task report waits for an answer/);
    assert.match(told.text, /Its worker claude asks: Which \[port\]\u200b\(command:x\), 80 or 8080\?/);
    assert.deepEqual(told.buttons, ['Answer Question', 'Open Packet', 'Show Mission Control']);
    await window.notifications.click(/task report waits/, 'Show Mission Control');
    const frame = await window.webviewFrame('Mission Control');
    const text = await waitFor(
      async () => {
        await unfold(frame);
        const shown = await frame.locator('main').innerText();
        return shown.includes('Answer Question') && shown.includes('mission answer ') && shown;
      },
      { what: 'the question on the panel' },
    );
    for (const part of ['Which [port](command:x), 80 or 8080?', 'mission answer ', '--text TEXT'])
      assert.ok(text.includes(part), `${part} in ${text}`);
    assert.deepEqual(await looksOf(frame), []);
    await window.screenshot('question');
  });

  it('is answered in words and with a reason, and nothing goes on before both', async () => {
    await window.command(answerQuestion);
    await window.quickInput.asks(/Its worker claude asks: Which/);
    assert.equal(await timesAsked('80 or 8080?'), 1, await window.quickInput.text());
    await window.screenshot('question-answer');
    await window.quickInput.answer('Port 8080.');
    await window.quickInput.asks(/Every answer tries the task again/);
    await window.quickInput.dismiss();
    const types = (await journalOf(scratch.workspaceDir)).map(({ event }) => event.type);
    assert.ok(!types.includes('QuestionAnswered'));
    await window.command(answerQuestion);
    await window.quickInput.answer('Port 8080.');
    await window.quickInput.answer('Ops says so');
    await window.notifications.waitFor(/task table waits for an answer/);
  });

  it('of another person has choices to pick from', async () => {
    const packets = await journalOf(scratch.workspaceDir);
    const issued = packets.findLast(({ event }) => event.type === 'PacketIssued')?.event;
    assert.ok(issued?.type === 'PacketIssued');
    execFileSync(
      process.execPath,
      [
        ...[path.resolve('dist/cli.js'), 'packet', 'resolve', issued.packet_id, '--outcome', 'ask-user'],
        ...[
          '--question',
          'Which format?',
          '--choice',
          'CSV',
          '--choice',
          'JSON',
          '--by',
          'Bob',
          '--reason',
          'it guessed',
        ],
        ...['--workspace', scratch.workspaceDir],
      ],
      { env: terminalOf(scratch) },
    );
    await window.notifications.waitFor(/Bob asks: Which format\?/);
    await window.notifications.click(/Bob asks/, 'Answer Question');
    await waitFor(async () => (await window.quickInput.read()).items.includes('CSV'), { what: 'the choices' });
    assert.equal(await timesAsked('Which format?'), 1, await window.quickInput.text());
    await window.screenshot('question-choices');
    await window.quickInput.pick('Another answer…');
    await window.quickInput.asks(/Bob asks: Which format\?/);
    assert.equal(await timesAsked('Which format?'), 1, await window.quickInput.text());
    await window.quickInput.dismiss();
    await window.command(answerQuestion);
    await window.quickInput.pick('JSON');
    await window.quickInput.answer('As the others do');
    await waitForStatus(window, 'Mission asking completed');
    await window.command('Mission Control: Show Mission Control');
    const page = await window.webviewFrame('Mission Control');
    await page.locator('[data-section="changed"] .foldTitle', { hasText: /^\W*Success criterion: met\W*$/ }).waitFor();
    assert.deepEqual(
      ['report', 'table'].map((task) =>
        evidence(task).map(({ answers = [] }) => answers.map(({ text, decision }) => [text, decision.actor.name])),
      ),
      [
        [[], [['Port 8080.', 'Ada Lovelace']]],
        [[], [['JSON', 'Ada Lovelace']]],
      ],
    );
    assert.equal(verifyPlanEvidence(scratch.workspaceDir, 'asking').valid, true);
    await waitFor(async () => !(await window.quickInput.commandsMatching(answerQuestion)).includes(answerQuestion), {
      what: 'the command to go',
    });
  });
});

const program = `
  const file = 'out/' + named('task_id') + '.md';
  if (!prompt.includes('Answers of a person')) asks('Which [port](command:x), 80 or 8080?');
  else {
    fs.mkdirSync('out', { recursive: true });
    fs.writeFileSync(file, 'written');
    end('done', file);
  }`;

function planText(): string {
  const plan = {
    contract_version: 'S2-B-05.v1',
    plan_id: 'asking',
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
        paths: ['out/report.md'],
        worker: 'claude',
        prompt: 'Write it.',
      },
      {
        task_id: 'table',
        description: 'Write the table.',
        paths: ['out/table.md'],
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
