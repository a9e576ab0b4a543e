import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import { writeFakeClaude } from '../cli/fakeClaude';
import { approveShown } from './approving';
import { makeScratch, type Scratch } from './harness/scratch';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { looksOf } from './panelChecks';
import { answerName, openMissionWindow, verifyPlanEvidence, waitForStatus } from './missionWorkspace';

const confirm = 'Mission Control: Confirm Memory';
const store = 'architecture/store';
const cloud = 'constraints/no-cloud';

/** An agent that proposes to remember two decisions, and the person who decides about them; then one that contradicts. */
describe('what a person decides to be remembered, in the real VS Code', () => {
  let scratch: Scratch;
  let window: VscodeWindow;
  let claude: string;

  story(async () => {
    scratch = await makeScratch({
      'docs/plans/PLAN_first.json': planText('first'),
      'docs/plans/PLAN_second.json': planText('second'),
      'ai.project.json': readFileSync('test/fixtures/ai-project/sound.json', 'utf8'),
      'README.md': '# A workspace\n',
    });
    claude = path.join(path.dirname(scratch.workspaceDir), 'claude');
    writeFakeClaude(claude, proposing('files, no database'));
    window = await openMissionWindow(scratch, { userSettings: { 'missionControl.claude.path': claude } });
  });

  const run = async (plan: string): Promise<void> => {
    await window.editor.open(path.join(scratch.workspaceDir, `docs/plans/PLAN_${plan}.json`));
    await window.command('Mission Control: Approve Plan');
    if (plan === 'first') await answerName(window);
    await approveShown(window);
    await window.notifications.waitFor(new RegExp(`Plan ${plan} is approved`));
    await window.command('Mission Control: Run Plan');
    await waitForStatus(window, `Mission ${plan} asks you`);
  };
  const evidenceOf = (plan: string): NonNullable<TaskEvidence['attempts']>[number]['memory'] => {
    const file = path.join(scratch.workspaceDir, `docs/ops/executions/${plan}/TASK_choose.json`);
    return (JSON.parse(readFileSync(file, 'utf8')) as TaskEvidence).attempts?.at(-1)?.memory;
  };

  it('pauses its mission: status bar, one notification, and on the panel what waits and how it goes on', async () => {
    await run('first');
    assert.equal((await window.statusBarItem('missionControl.status'))?.kind, 'warning');
    const told = await window.notifications.waitFor(/Mission first asks you\./);
    assert.deepEqual(told.buttons, ['Confirm Memory', 'Show Mission Control']);
    await window.notifications.click(/Mission first asks you/, 'Show Mission Control');
    const frame = await window.webviewFrame('Mission Control');
    const text = await waitFor(
      async () => {
        const shown = await frame.locator('main').innerText();
        return shown.includes('The mission asks you') && shown;
      },
      { what: 'what waits on the panel' },
    );
    for (const part of [`${store} and ${cloud}`, 'Confirm Memory', 'mission memory confirm '])
      assert.ok(text.includes(part), `${part} in ${text}`);
    assert.deepEqual(await looksOf(frame), []);
    await window.screenshot('memory');
  });

  it('asks which entries are kept and why; the rest is discarded, and the mission goes on to its end', async () => {
    await window.command(confirm);
    await window.quickInput.read();
    await window.screenshot('memory-entries');
    await window.quickInput.tick([store]);
    await window.quickInput.asks(/Remembered of task choose: architecture\/store/);
    await window.quickInput.answer('We agreed on it');
    await waitForStatus(window, 'Mission first completed');
    const memory = evidenceOf('first');
    assert.ok(memory);
    assert.deepEqual(
      memory.entries.map(({ name, outcome }) => `${name} ${outcome}`),
      [`${store} saved`, `${cloud} discarded`],
    );
    assert.deepEqual([memory.decision?.actor.name, memory.decision?.reason], ['Ada Lovelace', 'We agreed on it']);
    assert.deepEqual(readdirSync(path.join(scratch.workspaceDir, '.mission-control/memory')), ['000001.json']);
    assert.equal(verifyPlanEvidence(scratch.workspaceDir, 'first').valid, true);
    await waitFor(async () => !(await window.quickInput.commandsMatching(confirm)).includes(confirm), {
      what: 'the command to go',
    });
  });

  it('shows both values of a conflict, and nothing is replaced before a person says which counts', async () => {
    writeFakeClaude(claude, proposing('a database', long));
    await run('second');
    await window.command(confirm);
    const asked = await waitFor(
      async () => {
        const shown = await window.quickInput.read();
        return shown.message.includes('architecture/store contradicts what is remembered') && shown;
      },
      { what: 'the two values' },
    );
    // A list shows one of them in full at a time, so the page behind it shows them all.
    assert.equal(asked.title, 'Confirm Memory (Mission Control shows the whole texts)');
    const frame = await window.webviewFrame('Mission Control');
    await waitFor(async () => (await frame.locator('main').innerText()).includes(long), { what: 'the whole text' });
    for (const value of ['Keep version 1', 'Replace it with what is proposed'])
      assert.ok(asked.items.includes(value), asked.items.join('; '));
    // The value in focus, and by the keyboard the other one.
    assert.match(asked.message, /Keep version 1: files, no database$/);
    await window.page.keyboard.press('ArrowDown');
    await waitFor(async () => (await window.quickInput.read()).message.includes(long), {
      what: 'the long text in full',
    });
    await window.screenshot('memory-conflict');
    await window.quickInput.pick('Keep version 1');
    await window.quickInput.tick([cloud]);
    await window.quickInput.answer('The store stays');
    await waitForStatus(window, 'Mission second completed');
    assert.deepEqual(
      evidenceOf('second')?.entries.map(({ name, outcome, conflict }) => [name, outcome, conflict?.decision ?? null]),
      [
        [store, 'discarded', 'files, no database'],
        [cloud, 'saved', null],
      ],
    );
  });
});

const long = `many people write at once, ${'each of them from a place of their own, '.repeat(8)}and read what others wrote`;

function proposing(decision: string, rationale = 'git shows every change'): string {
  const entries = [
    { domain: 'architecture', key: 'store', decision, rationale },
    {
      domain: 'constraints',
      key: 'no-cloud',
      decision: 'nothing leaves the machine',
      rationale: 'the customers say so',
    },
  ];
  return `
  fs.mkdirSync('out', { recursive: true });
  fs.writeFileSync('out/report.md', ${JSON.stringify(decision)});
  x_memory = ${JSON.stringify(entries)};
  end('done', 'out/report.md');`;
}

function planText(plan_id: string): string {
  const plan = {
    contract_version: 'S2-B-05.v1',
    plan_id,
    goal_id: 'G1',
    created_at: '2026-01-01T00:00:00Z',
    planner: 'tester',
    status: 'DRAFT',
    risk: { level: 1, notes: '' },
    scope: { allowed: ['file_edit'], forbidden: ['network'] },
    tasks: [
      {
        task_id: 'choose',
        description: 'Choose a store.',
        paths: ['out'],
        worker: 'claude',
        intent: 'architecture',
        prompt: 'Choose one.',
      },
    ],
    execution: {
      mode: 'sequential',
      confinement: 'off',
      recovery: { allow: [] },
      delegation: { claude_code: true, constraints: [] },
    },
    approval: { required: true },
    success_criteria: ['no_scope_violation'],
  };
  return `${JSON.stringify(plan, null, 2)}\n`;
}
