import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { needsBubblewrap } from '../support/bubblewrap';
import { openMenu } from './harness/menu';
import type { Locator } from './harness/playwright';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { waitForStarted } from './laneChecks';
import {
  approveAndRun,
  makeMissionWorkspace,
  openMissionWindow,
  waitForEvent,
  waitForStatus,
} from './missionWorkspace';
import type { MissionWorkspace } from './missionWorkspace';

/** The text of the active tab. */
async function tab(window: VscodeWindow): Promise<string> {
  const texts = await window.page.locator('.editor-group-container.active .tab.active').allInnerTexts();
  return texts.join(' ').trim();
}

/** What a task changed, in VS Code's own editor of many differences. */
describe('Review Changes in the real VS Code', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;
  const file = (name: string): string => path.join(workspace.workspaceDir, name);

  story(async () => {
    workspace = await makeMissionWorkspace('shown', ['first', 'second'], { git: true });
    await mkdir(file('out'));
    // Git does not know it: its earlier content is kept by the runner alone.
    await writeFile(file('out/first.txt'), 'as it was\n');
    window = await openMissionWindow(workspace);
    await approveAndRun(window, workspace);
    await waitForStarted(workspace, 'first');
  });

  const review = async (name: RegExp): Promise<string> => {
    await waitFor(async () => name.test(await tab(window)), {
      what: `a tab ${String(name)}`,
    });
    return shown();
  };
  const shown = (): Promise<string> =>
    waitFor(
      async () => {
        const lines = await window.page.locator('.multiDiffEditor .view-lines').allInnerTexts();
        const text = lines.join('\n').replaceAll('\u00a0', ' ');
        return text.trim() !== '' && text;
      },
      { what: 'the text of the differences' },
    );
  const files = async (): Promise<readonly string[]> =>
    (await window.page.locator('.multiDiffEntry .file-path').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));

  it('shows from the palette what a running task has changed by now, as a copy that stays as it is', async () => {
    await waitFor(async () => (await readFile(file('out/first.txt'), 'utf8')).includes('executed'), {
      what: 'the first change',
    });
    await window.command('Mission Control: Review Changes');
    const text = await review(/^shown: changes by now \(1 file\)/);
    assert.match(text, /as it was/);
    assert.match(text, /executed/);
    await window.screenshot('review-running');
    await appendFile(file('out/first.txt'), 'written a moment later\n');
    await window.notifications.waitFor(/It still runs: the right side is a copy of this moment/);
    assert.doesNotMatch(await shown(), /written a moment later/);
    await window.command('View: Close Editor');
    await window.command('Mission Control: Review Changes');
    await review(/^shown: changes by now \(1 file\)/);
    await waitFor(async () => (await shown()).includes('written a moment later'), { what: 'a newer copy' });
    await window.command('View: Close Editor');
  });

  it('shows from the page of the completed mission all files, in the files themselves', async () => {
    await workspace.openGate('first');
    await workspace.openGate('second');
    await waitForStatus(window, 'Mission shown completed');
    await waitForEvent(workspace, 'MissionReported');
    await window.command('Mission Control: Show Mission Control');
    const frame = await window.webviewFrame('Mission Control');
    const lines = frame.locator('[data-task-changed="first"] [data-lines]');
    await waitFor(async () => (await lines.allInnerTexts()).some((text) => /\+2.*−0/s.test(text)), {
      what: 'the lines that the task added',
    });
    await window.screenshot('review-lines');
    await frame.locator('[data-section="changed"] [data-open="diff"]').first().click();
    const text = await review(/^shown: changes \(2 files\)/);
    assert.match(text, /as it was/);
    const named = await files();
    assert.deepEqual(
      [named.length, named[0]?.includes('first.txt'), named[1]?.includes('second.txt')],
      [2, true, true],
      named.join(),
    );
    await window.screenshot('review-completed');
    await window.command('View: Close Editor');
  });

  it('shows one task from its line on the page', async () => {
    const frame = await window.webviewFrame('Mission Control');
    await frame.locator('[data-task-changed="second"] [data-open="diff"]').click();
    const text = await review(/^second: changes \(1 file\)/);
    assert.doesNotMatch(text, /as it was/);
    await window.command('View: Close Editor');
  });

  it('shows it from the menu of a changed file: in the Explorer, on its tab, and in source control', async () => {
    await window.editor.open(file('out/first.txt'));
    const listed = (view: string, hasText: string) => window.page.locator(`${view} .monaco-list-row`, { hasText });
    const change = listed('.scm-view', 'first.txt');
    for (const [what, row] of [
      ['a changed file in the Explorer', listed('.explorer-folders-view', 'first.txt')],
      ['the tab of a changed file', window.page.locator('.tab', { hasText: 'first.txt' })],
      ['a changed file in source control', change],
    ] as const) {
      await window.command(row === change ? 'Source Control: Focus on Changes View' : 'View: Show Explorer');
      const menu = await openMenu(window.page, what, () => row.first().click({ button: 'right' }));
      await window.screenshot(`review-from-${what.split(' ').at(-1) ?? ''}`);
      await menu.choose('Review Changes');
      await review(/^shown: changes \(2 files\)/);
      await window.command('View: Close Editor');
    }
    await window.command('View: Show Explorer');
    const readme = listed('.explorer-folders-view', 'README.md');
    const { items } = await openMenu(window.page, 'another file', () => readme.first().click({ button: 'right' }));
    assert.ok(items.length > 3 && !items.includes('Review Changes'), items.join());
    await window.page.keyboard.press('Escape');
  });

  it('says which file changed since, from the notification of the completed mission', async () => {
    await writeFile(file('out/second.txt'), 'a person went on\n');
    await window.notifications.click(/Mission shown (?:is )?completed/i, 'Review Changes');
    await review(/^shown: changes, 1 changed since \(2 files\)/);
    await window.notifications.waitFor(/out\/second\.txt is not as the task left it/);
    await window.screenshot('review-changed-since');
    await window.command('View: Close Editor');
  });
});

describe('Review Changes of a mission that wrote out of scope, in the real VS Code', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    workspace = await makeMissionWorkspace('strayed', ['build'], { git: true });
    window = await openMissionWindow(workspace);
    await approveAndRun(window, workspace);
    await waitForStarted(workspace, 'build');
    await workspace.strayTask('build');
    const stray = path.join(workspace.workspaceDir, 'stray.txt');
    await waitFor(() => existsSync(stray), { what: 'the write' });
    await workspace.openGate('build');
    await waitForEvent(workspace, 'PacketIssued');
  });

  it('shows that file first, and names it', async () => {
    await window.command('Mission Control: Review Changes');
    const title = /^strayed: changes, 1 out of scope first \(2 files\)/;
    await waitFor(async () => title.test(await tab(window)), { what: 'the review' });
    const named = await waitFor(
      async () => {
        const all = await window.page.locator('.multiDiffEntry .file-path').allInnerTexts();
        return all.length === 2 && all;
      },
      { what: 'two files' },
    );
    assert.ok(named[0]?.includes('stray.txt') && named[1]?.includes('build.txt'), named.join('; '));
    await window.notifications.waitFor(/Out of scope: stray\.txt/);
    await window.screenshot('review-out-of-scope');
  });
});

describe('Review Changes of what a layer took, in the real VS Code', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;
  let bubblewrap: string;

  before(function () {
    bubblewrap = needsBubblewrap(this);
  });
  story(async () => {
    workspace = await makeMissionWorkspace('dropped', ['build'], { git: true });
    // Gates lie below /tmp, where a sandbox shows its own.
    const plan = JSON.parse(await readFile(workspace.planPath, 'utf8')) as { tasks: { command: string[] }[] };
    const script = "mkdir -p out && echo built > out/build.txt && echo 'Not mine to write.' > stray.txt";
    plan.tasks.forEach((task) => (task.command = ['sh', '-c', script]));
    await writeFile(workspace.planPath, JSON.stringify(plan, null, 2));
    window = await openMissionWindow(workspace, {
      env: { PATH: [process.env['PATH'], bubblewrap].join(path.delimiter) },
    });
    await approveAndRun(window, workspace);
    await waitForEvent(workspace, 'PacketIssued');
  });

  it('shows it last, before and after, as not kept', async () => {
    await window.command('Mission Control: Review Changes');
    const title = /^dropped: changes, 1 not kept \(2 files\)/;
    await waitFor(async () => title.test(await tab(window)), { what: 'the review' });
    const named = await waitFor(
      async () => {
        const all = await window.page.locator('.multiDiffEntry .file-path').allInnerTexts();
        return all.length === 2 && all;
      },
      { what: 'two files' },
    );
    assert.ok(named[0]?.includes('build.txt') && /stray\.txt\s*not kept/.test(named[1] ?? ''), named.join('; '));
    await waitFor(
      async () => {
        const lines = await window.page.locator('.multiDiffEditor .view-lines').allInnerTexts();
        return lines.join('\n').replaceAll('\u00a0', ' ').includes('Not mine to write.');
      },
      { what: 'the text that was not kept' },
    );
    await window.notifications.waitFor(/Not kept: stray\.txt/);
    await window.screenshot('review-not-kept');
    assert.ok(!existsSync(path.join(workspace.workspaceDir, 'stray.txt')));
  });
});

describe('Work in a layer and comments on it, in the real VS Code', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;
  let bubblewrap: string;
  let gate: string;
  const sendBack = 'Mission Control: Send Back With Comments';

  before(function () {
    bubblewrap = needsBubblewrap(this);
  });
  story(async () => {
    workspace = await makeMissionWorkspace('commented', ['build'], { git: true });
    const plan = JSON.parse(await readFile(workspace.planPath, 'utf8')) as {
      execution: object;
      tasks: { command: string[] }[];
    };
    Object.assign(plan.execution, { layers: 'all', landing: 'accepted' });
    // Not below /tmp, of which a sandbox shows its own.
    await mkdir('.artifacts', { recursive: true });
    gate = path.resolve(await mkdtemp('.artifacts/gate-'), 'open');
    const script = `mkdir -p out && echo made >> out/build.txt && echo in >> out/build.txt && echo haste >> out/build.txt; while [ ! -e '${gate}' ]; do sleep 0.1; done`;
    plan.tasks.forEach((task) => (task.command = ['sh', '-c', script]));
    await writeFile(workspace.planPath, JSON.stringify(plan, null, 2));
    window = await openMissionWindow(workspace, {
      env: { PATH: [process.env['PATH'], bubblewrap].join(path.delimiter) },
    });
    await approveAndRun(window, workspace);
    await waitForStarted(workspace, 'build');
  });
  after(() => rm(path.dirname(gate), { recursive: true, force: true }));

  const review = async (): Promise<void> => {
    await window.command('Mission Control: Review Changes');
    await waitFor(async () => /^commented: changes\b.* \(1 file\)/.test(await tab(window)), { what: 'the review' });
  };
  const lines = (): Locator => window.page.locator('.multiDiffEditor .editor.modified .view-line');
  const threads = (): Locator => window.page.locator('.review-widget');
  const comment = async (line: number, text: string): Promise<void> => {
    await lines()
      .nth(line - 1)
      .hover();
    await window.page
      .locator('.multiDiffEditor .editor.modified .comment-range-glyph')
      .nth(line - 1)
      .click();
    const box = threads().last().locator('.native-edit-context, textarea').first();
    await box.focus();
    await window.page.keyboard.type(text);
    await threads().last().getByRole('button', { name: 'Add Comment' }).click();
  };

  it('show what its worker has written by now, which is in no file', async () => {
    await waitFor(
      async () => {
        await review();
        return (await lines().allInnerTexts()).join('\n').includes('haste');
      },
      { what: 'the work in its layer' },
    );
    assert.ok(!existsSync(path.join(workspace.workspaceDir, 'out/build.txt')));
    await window.screenshot('review-live-layer');
    await window.command('View: Close Editor');
    await writeFile(gate, '');
    await waitForEvent(workspace, 'PacketIssued');
  });

  it('are written beside its lines, and are there again after the tab was closed', async () => {
    await review();
    await waitFor(async () => (await lines().allInnerTexts()).join('\n').includes('haste'), {
      what: 'the work, which is in no file yet',
    });
    await window.screenshot('review-waiting');
    await comment(3, 'No haste here.');
    await waitFor(async () => (await threads().allInnerTexts()).join().includes('No haste here.'), { what: 'it' });
    await window.screenshot('review-commented');
    await window.command('View: Close Editor');
    await review();
    await waitFor(async () => (await threads().allInnerTexts()).join().includes('No haste here.'), {
      what: 'it again',
    });
  });

  it('go to the worker with one command, and vanish', async () => {
    await window.command(sendBack);
    await window.quickInput.asks(/One comment goes to the worker of task build/);
    await window.quickInput.answer('Slower, please.');
    await window.quickInput.asks(/The reason stands/);
    await window.quickInput.answer('It was hasty.');
    const { event } = await waitForEvent(workspace, 'QuestionAnswered');
    assert.ok(event.type === 'QuestionAnswered');
    assert.deepEqual(
      [event.choice, event.text, event.comments],
      [null, 'Slower, please.', [{ path: 'out/build.txt', line: 3, text: 'No haste here.' }]],
    );
    await waitForEvent(workspace, 'PacketIssued', 2);
    await waitFor(async () => (await threads().count()) === 0, { what: 'the comments to vanish' });
    await waitFor(async () => !(await window.quickInput.commandsMatching(sendBack)).includes(sendBack), {
      what: 'the command to be gone',
    });
    await window.screenshot('review-sent-back');
  });
});
