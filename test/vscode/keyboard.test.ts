import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeFakeClaude } from '../cli/fakeClaude';
import { approvalAsked } from './approving';
import { makeScratch, type Scratch } from './harness/scratch';
import { openMenu } from './harness/menu';
import { story } from './harness/story';
import { Trees } from './harness/trees';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { openMissionWindow, verifyPlanEvidence, waitForStatus } from './missionWorkspace';

const planId = 'one-note';

/** A goal, a draft by a scripted agent, an approval, a run, a block, and evidence; the window counts its clicks. */
describe('a goal that becomes a verified mission by the keyboard alone, without a terminal', () => {
  let scratch: Scratch;
  let window: VscodeWindow;
  let trees: Trees;

  story(async () => {
    scratch = await makeScratch({ 'notes.md': 'One note.\n' });
    const claude = path.join(path.dirname(scratch.workspaceDir), 'claude');
    const answer = `\`\`\`json\n${JSON.stringify(plan, null, 2)}\n\`\`\``;
    writeFakeClaude(
      claude,
      `say({ type: 'result', subtype: 'success', is_error: false, result: ${JSON.stringify(answer)} });`,
    );
    window = await openMissionWindow(scratch, {
      userSettings: { 'missionControl.claude.path': claude, 'missionControl.confinement': 'off' },
    });
    trees = new Trees(window.page);
    await window.page.evaluate(COUNT_CLICKS);
  });

  const press = (key: string): Promise<void> => window.page.keyboard.press(key);
  /** Presses a key until that has the focus, as a person does who looks where it is. */
  const pressUntil = async (key: string, what: string, has: () => Promise<boolean>): Promise<void> => {
    for (let times = 0; times < 60; times += 1) {
      if (await has()) return;
      await press(key);
    }
    throw new Error(`${what} is not reached by ${key}`);
  };
  const toast = (text: RegExp): Promise<unknown> => window.notifications.waitForToast(text);

  it('is drafted from the words of the goal, and the draft is kept', async () => {
    await window.command('Mission Control: Draft Plan With Agent');
    await window.quickInput.answer('Write one note');
    await waitFor(async () => (await window.quickInput.read()).items.includes('notes.md'), { what: 'the files' });
    await window.quickInput.tick([]);
    await window.quickInput.answer('Ada Lovelace');
    await toast(/drafted one-note\. Save it to keep it/);
    await press('Control+s');
    await waitFor(() => existsSync(planFile()) && planText().endsWith('}\n'), { what: 'the plan' });
    await waitFor(async () => (await window.editor.activeTab())?.name === path.basename(planFile()), {
      what: 'the plan in an editor of its own',
    });
  });

  it('is approved on its page, which the keyboard reaches', async () => {
    await window.command('Mission Control: Run Plan');
    await approvalAsked(window, 'Approve and Run');
    const frame = await window.webviewFrame(/^Approve /);
    const focused = async (): Promise<boolean> =>
      (await frame.evaluate('document.hasFocus() && document.activeElement.innerText')) === 'Approve and Run';
    await pressUntil('Tab', 'Approve and Run', focused);
    await window.screenshot('keyboard-approval');
    await press('Enter');
    await waitForStatus(window, `Mission ${planId} blocked`);
    assert.equal((JSON.parse(planText()) as { readonly status: string }).status, 'APPROVED');
  });

  it('is decided about from the view that says what needs a person', async () => {
    await window.command('View: Show Mission Control');
    await trees.waitFor('Needs You', 'T1');
    await window.command('Mission Control: Focus on Needs You View');
    await trees.waitForKeys('Needs You');
    await press('Home');
    await waitFor(async () => (await trees.rows('Needs You')).some(({ focused }) => focused), { what: 'the focus' });
    await press('Enter');
    await waitFor(async () => (await window.quickInput.read()).title === 'Resolve Blocker', { what: 'the outcomes' });
    await window.quickInput.dismiss();
    writeFileSync(path.join(scratch.workspaceDir, 'input.txt'), 'A note.\n');
    const menu = await openMenu(window.page, 'the block', async () => {
      await window.command('Mission Control: Focus on Needs You View');
      await trees.waitForKeys('Needs You');
      await press('Home');
      await press('Shift+F10');
    });
    await window.screenshot('keyboard-menu');
    await menu.chooseByKeys('Retry Task');
    await window.quickInput.answer('The input is there now');
    await waitForStatus(window, `Mission ${planId} completed`);
  });

  it('is verified, and its evidence says what was checked', async () => {
    await window.command('Mission Control: Verify Evidence');
    await toast(/^The evidence of one-note holds\. Checked: /);
    const home = path.join(scratch.serverDataDir, 'home');
    assert.deepEqual(verifyPlanEvidence(scratch.workspaceDir, planId, home), { valid: true, findings: [] });
    await window.screenshot('keyboard-verified');
    assert.deepEqual(await window.page.evaluate('globalThis.missionControlClicks'), []);
  });

  function planFile(): string {
    return path.join(scratch.workspaceDir, `docs/plans/PLAN_${planId}.json`);
  }
  function planText(): string {
    return readFileSync(planFile(), 'utf8');
  }
});

/** Its task fails until the input is there. */
const plan = {
  plan_id: planId,
  risk: { level: 1, notes: 'Writes one file.' },
  scope: { allowed: ['docs_update'], forbidden: ['network'] },
  tasks: [
    {
      task_id: 'T1',
      description: 'Copy the input into a note.',
      worker: 'command',
      command: ['node', '-e', `fs.copyFileSync('input.txt', 'docs/note.md')`],
      paths: ['docs/note.md'],
      requires: ['docs_update'],
      verify: [['node', '-e', `fs.accessSync('docs/note.md')`]],
    },
  ],
  execution: { mode: 'sequential' },
  success_criteria: ['no_scope_violation'],
};

/** Those in lists of the palette apart, where the harness clicks a row that is not the first. */
const COUNT_CLICKS = `(() => {
  globalThis.missionControlClicks = [];
  const counted = ({ target }) => {
    if (!target.closest('.quick-input-widget')) globalThis.missionControlClicks.push(target.className);
  };
  document.addEventListener('pointerdown', counted, true);
})()`;
