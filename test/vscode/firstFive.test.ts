import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { writeFakeClaude } from '../cli/fakeClaude';
import { approveShown } from './approving';
import { makeScratch, type Scratch } from './harness/scratch';
import { story } from './harness/story';
import { DEFAULT_TIMEOUT, waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { doctorText } from './doctorText';
import { answerName, openMissionWindow, waitForStatus } from './missionWorkspace';
import { cutInList, looksOf } from './panelChecks';

/** The first five minutes in a repository of a person's own, from nothing to verified evidence by the walkthrough. */
describe('the first five minutes', () => {
  let scratch: Scratch;
  let window: VscodeWindow;

  story(async () => {
    scratch = await makeScratch({ 'notes.md': '# Notes\n' });
    execFileSync('git', ['init', '-q'], { cwd: scratch.workspaceDir });
    const claude = path.join(path.dirname(scratch.workspaceDir), 'claude');
    writeFakeClaude(claude, writesItsNote);
    window = await openMissionWindow(scratch, {
      userSettings: {
        'editor.codeLens': true,
        'missionControl.claude.path': claude,
        'missionControl.gemini.path': claude,
        'workbench.colorTheme': 'Default High Contrast',
      },
    });
  });

  const step = (id: string): ReturnType<VscodeWindow['page']['locator']> =>
    window.page.locator(`.getting-started-step[data-step-id$="#${id}"]`);
  /** A click while another page is being shown is lost; one on the tab in front would lead out of the walkthrough. */
  const walkthroughInFront = (): Promise<unknown> =>
    waitFor(
      async () => {
        const walkthrough = /Walkthrough|Welcome|Run your first/;
        const front = await window.page.locator('.editor-group-container.active .tab.active').first().innerText();
        if (walkthrough.test(front)) return true;
        await window.page.locator('.tabs-container .tab', { hasText: walkthrough }).first().click();
        return undefined;
      },
      { what: 'the walkthrough in front' },
    );
  /** Presses a button of a step as a person does, who unfolds the step first. */
  const press = async (id: string, text: string): Promise<void> => {
    await walkthroughInFront();
    const isUnfolded = async (): Promise<boolean> =>
      ((await step(id).getAttribute('class')) ?? '').includes('expanded');
    if (!(await isUnfolded())) await step(id).click();
    await waitFor(isUnfolded, { what: `the step ${id} in full` });
    await step(id).locator('.monaco-button', { hasText: text }).first().click();
  };
  /** Waits until the empty page says this. */
  const says = (pattern: RegExp): Promise<unknown> => {
    let said = '';
    const now = async (): Promise<boolean> => {
      said = await (await window.webviewFrame('Mission Control')).locator('main').innerText();
      return pattern.test(said);
    };
    return waitFor(now, { what: `the page to say ${String(pattern)}` }).catch((error: unknown) => {
      throw new Error(`${String(error)}; it says: ${said}`);
    });
  };
  const ticked = async (): Promise<readonly unknown[]> => (await window.page.evaluate(TICKED)) as readonly unknown[];
  /** Waits until exactly these steps have their tick. */
  const ticks = async (...wanted: readonly string[]): Promise<void> => {
    await walkthroughInFront();
    const all = async (): Promise<boolean> => (await ticked()).join() === wanted.join();
    await waitFor(all, { what: `ticks at ${wanted.join()}` }).catch(async (error: unknown) => {
      throw new Error(`${String(error)}; there were: ${(await ticked()).join()}`);
    });
  };

  it('an empty page says which agents are here, and its cards open the steps of the walkthrough', async () => {
    await window.command('Mission Control: Show Mission Control');
    const frame = await window.webviewFrame('Mission Control');
    await frame.locator('[data-section="empty"]').waitFor();
    await says(/On this machine: Claude Code 2\.1\.328/);
    // The page is open when a person chooses who performs what names no agent.
    await window.changeSettings({ 'missionControl.defaultWorker': 'gemini' });
    await says(/On this machine: Gemini 2\.1\.328/);
    await window.screenshot('empty-page');
    for (const id of ['check', 'sample', 'plan']) {
      await window.command('Mission Control: Show Mission Control');
      await (await window.webviewFrame('Mission Control')).locator(`[data-step="${id}"]`).click();
      await step(id).waitFor();
      await waitFor(async () => ((await step(id).getAttribute('class')) ?? '').includes('expanded'), {
        what: 'the step in full',
      });
    }
    await ticks();
    // VS Code shows three lines of what it says below its name, and cuts the rest.
    assert.equal(await window.page.evaluate(IS_CUT), false);
    await window.screenshot('walkthrough');
  });

  it('the walkthrough checks the machine, and finds the agent that is here', async () => {
    await press('check', 'Check This Machine');
    await waitFor(async () => /\bclaude\b.*2\.1\.328/.test(await doctorText(window)), {
      what: 'the agent on the page',
    });
    await ticks('check');
  });

  it('runs a sample, which ticks its own step alone', async () => {
    await press('sample', 'Run Sample');
    await answerName(window);
    await approveShown(window, 'Approve and Run');
    await waitForStatus(window, 'Mission sample-1 completed');
    await ticks('check', 'sample');
    await window.screenshot('walkthrough-sample');
  });

  it('writes a plan for the agent that is here', async () => {
    await press('plan', 'Draft Plan With Agent');
    await window.quickInput.asks(/^What do you want to reach\?/);
    await window.quickInput.dismiss();
    await press('plan', 'New Plan');
    await window.quickInput.answer('first-1');
    await window.quickInput.pick('Claude Code');
    await waitFor(async () => (await window.editor.activeTab())?.name === 'PLAN_first-1.json', { what: 'the draft' });
    // Until the plan is judged its step has nothing to tick by, and only the plan in front is judged.
    await window.page
      .locator('.editor-group-container.active .editor-actions .action-label[aria-label^="Approve Plan"]')
      .waitFor({ timeout: DEFAULT_TIMEOUT });
    await ticks('check', 'sample', 'plan');
    await window.screenshot('walkthrough-ticked');
  });

  it('approves and runs it, while no plan is in front', async () => {
    await press('approve', 'Approve Plan');
    await window.quickInput.pick('PLAN_first-1.json');
    await waitFor(async () => (await window.quickInput.read()).items.includes('Correct file permissions'), {
      what: 'the corrections',
    });
    assert.deepEqual(await cutInList(window), []);
    await window.quickInput.tick([]);
    await approveShown(window);
    await window.notifications.waitFor(/^Plan first-1 is approved/);
    await ticks('check', 'sample', 'plan', 'approve');
    await press('run', 'Run Plan');
    await window.quickInput.pick('PLAN_first-1.json');
    await waitForStatus(window, 'Mission first-1 completed');
    // The panel was open behind the walkthrough, with the sample in it.
    await (
      await window.webviewFrame('Mission Control')
    )
      .locator('main h1', { hasText: 'first-1' })
      .waitFor({ timeout: DEFAULT_TIMEOUT });
    await ticks('check', 'sample', 'plan', 'approve', 'run');
  });

  it('ends with evidence that is read and verified, and says what was checked', async () => {
    await press('evidence', 'Open Evidence');
    await window.quickInput.pick('EXECUTION_SUMMARY.md');
    await window.webviewFrame(/EXECUTION_SUMMARY/);
    await ticks('check', 'sample', 'plan', 'approve', 'run');
    await press('evidence', 'Verify Evidence');
    await window.quickInput.pick('first-1');
    await window.notifications.waitFor(/^The evidence of first-1 holds\. Checked: the header, the locked plan, /);
    await ticks('check', 'sample', 'plan', 'approve', 'run', 'evidence');
    await window.screenshot('walkthrough-verified');
  });

  it('the doctor offers what helps beside what lacks, and opens the setting where it stands', async () => {
    await window.command('Mission Control: Doctor');
    const page = await window.webviewFrame('Doctor');
    const button = (text: string): ReturnType<typeof page.locator> => page.locator('a.button', { hasText: text });
    await button('Install Codex in a Terminal').waitFor();
    assert.match(await doctorText(window), /not there codex .*Plans that name codex are refused\./);
    assert.deepEqual(await page.locator('h2').allTextContents(), ['This window', 'This machine and workspace']);
    assert.equal(await page.evaluate(MARK_LINES), 1);
    assert.deepEqual(await looksOf(page), []);
    await window.screenshot('doctor-page');
    await button('Open Setting missionControl.codex.path').click();
    await window.page
      .locator('.settings-editor .setting-item-contents', { hasText: 'The file that starts Codex' })
      .first()
      .waitFor();
    await window.screenshot('doctor-setting');
  });
});

/** Does and reports what the draft of *New Plan* asks its agent for. */
const writesItsNote = `
  const note = 'docs/notes/first.md';
  fs.mkdirSync('docs/notes', { recursive: true });
  fs.writeFileSync(note, 'It has notes. They are few. They are short.\\n');
  const criterion = note + ' exists and has three sentences.';
  say({ type: 'result', subtype: 'success', is_error: false, result: 'done', structured_output: {
    schema_version: '1.0.0', run_id: named('run_id'), task_id: named('task_id'), status: 'done',
    changes: [{ resource: note, action: 'created', evidence: null }],
    acceptance_check: [{ criterion, status: 'pass', evidence: note }], worklog_path: '', notes_for_orchestrator: [],
  } });`;

const IS_CUT = `(() => {
  const { scrollHeight, clientHeight } = document.querySelector('.gettingStartedSlideDetails .category-description');
  return scrollHeight > clientHeight;
})()`;

/** How many lines the longest mark of a check takes. */
const MARK_LINES = `Math.max(...[...document.querySelectorAll('.checks > li > :first-child')].map((mark) => {
  const range = document.createRange();
  range.selectNodeContents(mark);
  return range.getClientRects().length;
}))`;

const TICKED = `[...document.querySelectorAll('.getting-started-step')]
  .filter((step) => step.querySelector('.codicon-getting-started-step-checked'))
  .map((step) => step.dataset.stepId.replace(/.*#/, ''))`;
