import assert from 'node:assert/strict';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeFakeClaude } from '../cli/fakeClaude';
import { approveShown } from './approving';
import { makeScratch, type Scratch } from './harness/scratch';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { answerName, openMissionWindow, waitForStatus } from './missionWorkspace';
import { looksOf, openDetails, unfold, widthOf } from './panelChecks';

const themes = [
  { theme: 'Default Dark Modern', kind: 'vscode-dark', name: 'dark' },
  { theme: 'Default Light Modern', kind: 'vscode-light', name: 'light' },
  { theme: 'Default High Contrast', kind: 'vscode-high-contrast', name: 'high-contrast' },
];
const widths = [300, 620, 1200];
const long = 'a-directory-whose-name-is-as-long-as-somebody-who-never-types-it-would-make-it';
const third = 'T03-tidy';
const planId = 'all-that-the-review-of-the-third-quarter-found-and-nobody-has-mended-since';

/** Forty tasks with long names in long directories: some done, one blocked after everything was tried, the rest waits. */
describe('the panel with forty tasks and long names', () => {
  let scratch: Scratch;
  let window: VscodeWindow;

  story(async () => {
    scratch = await makeScratch({ 'README.md': '# A workspace\n' });
    const folder = path.dirname(scratch.workspaceDir);
    const [given, withheld] = [`${long}/given`, `${long}/withheld`].map((name) => path.join(folder, name));
    assert.ok(given && withheld);
    for (const place of [given, withheld]) await mkdir(place, { recursive: true });
    const plan = path.join(scratch.workspaceDir, `docs/plans/PLAN_${planId}.json`);
    await mkdir(path.dirname(plan), { recursive: true });
    await writeFile(plan, planText(given));
    const claude = path.join(folder, 'claude');
    writeFakeClaude(claude, program(given, withheld));
    await chmod(claude, 0o755);
    window = await openMissionWindow(scratch, { userSettings: { 'missionControl.claude.path': claude } });
    await window.editor.open(plan);
    await window.command('Mission Control: Approve Plan');
    await answerName(window);
    await approveShown(window);
    await window.notifications.waitFor(/is approved/);
    await window.command('Mission Control: Run Plan');
    await waitForStatus(window, /paused/);
    await window.command('View: Close All Editors');
    await window.command('Mission Control: Show Mission Control');
    await window.command('View: Hide Panel');
    await window.command('View: Toggle Primary Side Bar Visibility');
    await window.command('Notifications: Clear All Notifications');
  });

  for (const { theme, kind, name } of themes)
    for (const width of widths)
      it(`can be read whole: ${name}, ${width} px`, async () => {
        const settings = path.join(scratch.workspaceDir, '.vscode/settings.json');
        await mkdir(path.dirname(settings), { recursive: true });
        await writeFile(settings, `${JSON.stringify({ 'workbench.colorTheme': theme })}\n`);
        const frame = await window.webviewFrame('Mission Control');
        const shown = frame.locator(`body.${kind}`);
        await waitFor(async () => (await shown.count()) === 1, { what: `the theme ${theme}` });
        await widen(window, width);
        await unfold(frame);
        await window.screenshot(`panel-${name}-${width}`);
        if ((await frame.locator('[data-details]').count()) === 0) await openDetails(frame, third);
        const text = await frame.locator('main').innerText();
        const facts = [
          'ENFORCED by rule 3',
          'code_generation (by default)',
          'profile claude_default',
          'not machine-checked',
          'verification did not pass',
        ];
        for (const part of [planId, long, 'Was denied', 'Launch line changed', 'Before: ', 'After: ', ...facts])
          assert.ok(text.includes(part), `${part} in ${text}`);
        assert.equal(await frame.locator('tr[data-task]').count(), 40);
        assert.deepEqual(await looksOf(frame), []);
        await frame.evaluate('document.querySelector("[data-section=recoveries]").scrollIntoView({ block: "center" })');
        await window.screenshot(`panel-${name}-${width}-below`);
        await frame.evaluate('document.querySelector("[data-details]").scrollIntoView({ block: "center" })');
        await window.screenshot(`panel-${name}-${width}-facts`);
        await frame.evaluate('window.scrollTo(0, 0)');
      });

  it('unfolds what is known of a task by the keyboard alone, under a name, and shows where the keyboard is', async () => {
    const frame = await window.webviewFrame('Mission Control');
    await openDetails(frame, third);
    const facts = frame.locator('[data-details]');
    await waitFor(async () => (await facts.count()) === 0, { what: 'the facts to be folded' });
    const name = frame.locator('tr[data-task] .taskName').nth(1);
    await name.press('ArrowDown');
    await window.page.keyboard.press('Enter');
    await waitFor(() => facts.isVisible(), { what: 'the facts of the task' });
    assert.equal(await facts.getAttribute('aria-label'), `Task ${third}`);
    const ring = await frame.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    assert.notEqual(ring, 'none');
    assert.deepEqual(await looksOf(frame), []);
    await window.screenshot('panel-unfolded');
    await window.page.keyboard.press('Escape');
    await waitFor(async () => (await facts.count()) === 0, { what: 'the facts to be folded' });
    await openDetails(frame, third);
  });

  it('would be found wanting with text that is pale, cut, out of the page or one letter wide', async () => {
    const frame = await window.webviewFrame('Mission Control');
    const wrong = [
      ['.sentence', 'color = "rgb(90, 90, 90)"', /^contrast .*/],
      ['.taskName', 'cssText = "width: 40px"', null],
      ['.card p', 'cssText = "white-space: nowrap; overflow: hidden; width: 40px"', /^cut: /],
      ['.envelope', 'cssText = "position: absolute; left: 1190px"', /^out of the page: /],
      [
        '[data-section=recoveries] li b',
        'cssText = "display: block; width: 8px; overflow-wrap: anywhere"',
        /^a column of letters/,
      ],
    ] as const;
    for (const [selector, change, finding] of wrong) {
      const found = async (style: string): Promise<readonly string[]> => {
        await frame.evaluate(`document.querySelector(${JSON.stringify(selector)}).style.${style}`);
        return looksOf(frame);
      };
      const told = await found(change);
      // What hides its end and has it as a title can be read.
      if (finding === null) assert.deepEqual(told, []);
      else
        assert.ok(
          told.some((one) => finding.test(one)),
          `${selector}: ${told.join(', ')}`,
        );
      assert.deepEqual(await found('cssText = ""'), []);
    }
  });
});

/** Makes the page as wide as that, whatever stands beside it. It takes a moment until the page follows the window. */
async function widen(window: VscodeWindow, wanted: number): Promise<void> {
  const frame = await window.webviewFrame('Mission Control');
  await waitFor(
    async () => {
      const outer = Number(await window.page.evaluate('window.innerWidth'));
      const width = await widthOf(frame);
      const beside = outer - width;
      const follows = beside > 0 && beside < 150;
      if (follows && width !== wanted) await window.page.setViewportSize({ width: wanted + beside, height: 1000 });
      return follows && width === wanted;
    },
    { what: `a page of ${wanted} px` },
  );
}

/** T02 goes on without what it was denied; T03 gets a directory, and is then denied another that no grant allows. */
function program(given: string, withheld: string): string {
  return `
  const file = path.join('${long}', named('task_id'), 'result.txt');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  if (named('task_id').startsWith('T02')) {
    denied(${JSON.stringify(path.join(withheld, 'advice.txt'))});
    fs.writeFileSync(file, 'x');
    end('done', file);
  } else {
    denied(path.join(added.length === 0 ? ${JSON.stringify(given)} : ${JSON.stringify(withheld)}, 'note.txt'));
    end('blocked');
  }`;
}

const writes =
  'fs.mkdirSync(path.dirname(process.argv[1]), { recursive: true }); fs.writeFileSync(process.argv[1], "x")';

function planText(given: string): string {
  const tasks = Array.from({ length: 40 }, (_, index) => {
    const task_id = `T${String(index + 1).padStart(2, '0')}-${index % 3 === 0 ? 'what-the-second-look-at-the-migration-has-shown' : 'tidy'}`;
    const file = `${long}/${task_id}/result.txt`;
    const agent = index === 1 || index === 2;
    return {
      task_id,
      description: `Look at part ${index + 1} of what was found, and write down whether it was mended since, and by whom.`,
      paths: [`${long}/${task_id}/`],
      ...(agent
        ? { worker: 'claude', prompt: 'Do it.' }
        : {
            worker: 'command',
            command: ['node', '-e', writes, file],
          }),
    };
  });
  const plan = {
    contract_version: 'S2-B-05.v1',
    plan_id: planId,
    goal_id: 'G1',
    created_at: '2026-01-01T00:00:00Z',
    planner: 'tester',
    status: 'DRAFT',
    risk: { level: 1, notes: '' },
    scope: { allowed: ['file_edit', 'execute_command'], forbidden: ['network'] },
    tasks,
    execution: {
      mode: 'sequential',
      recovery: { allow: ['add_directory'], directories: [given] },
      delegation: { claude_code: true, constraints: [] },
    },
    approval: { required: true },
    success_criteria: ['no_scope_violation'],
  };
  return `${JSON.stringify(plan, null, 2)}\n`;
}
