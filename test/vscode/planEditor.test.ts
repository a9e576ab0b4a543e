import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { approveShown } from './approving';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import {
  answerName,
  makeMissionWorkspace,
  openMissionWindow,
  waitForStatus,
  type MissionWorkspace,
} from './missionWorkspace';

/** What a plan gets in the editor of the real VS Code, before and while it runs. */
describe('a plan in the editor', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    workspace = await makeMissionWorkspace('written', ['api', 'docs']);
    window = await openMissionWindow(workspace, { userSettings: { 'editor.codeLens': true } });
    await window.editor.open(workspace.planPath);
  });

  const lenses = (): Promise<readonly string[]> =>
    window.page.locator('.editor-group-container.active .codelens-decoration').allInnerTexts();
  const lens = (text: string): Promise<readonly string[]> =>
    waitFor(
      async () => {
        const shown = await lenses();
        return shown.some((line) => line.includes(text)) && shown;
      },
      { what: `${text} above a line of the plan` },
    );
  /** A line that is drawn anew between the button going down and up takes no click. */
  const press = (text: string, isTaken: () => Promise<boolean>): Promise<true> =>
    waitFor(
      async () => {
        await window.page.locator('.codelens-decoration a', { hasText: text }).first().click({ timeout: 10_000 });
        return waitFor(isTaken, { what: 'its effect', timeout: 10_000 });
      },
      { what: `${text} above a line to be pressed` },
    );
  /** Asks until a list is there: a question that comes while the editor still takes in a text is dropped. */
  const offered = (): Promise<readonly string[]> =>
    waitFor(
      async () => {
        const widget = window.page.locator('.suggest-widget.visible');
        const rows = await widget.locator('.monaco-list-row').allInnerTexts();
        if (rows.length === 0 && (await widget.count()) === 0) await window.page.keyboard.press('Control+Space');
        return rows.length > 0 && rows.map((row) => row.trim());
      },
      { what: 'suggestions' },
    );

  it('says its state and offers what is next', async () => {
    const [first = ''] = await lens('Draft');
    assert.match(first, /Draft.*Approve/s);
    assert.doesNotMatch(first, /Run/);
    await window.screenshot('plan-editor');
  });

  it('completes the tasks that one can wait for, and paths of the workspace', async () => {
    const text = await window.editor.text();
    const lines = text.split('\n');
    const second = lines.findIndex((line) => line.includes('"task_id": "docs"'));
    const draft = [...lines.slice(0, second + 1), '      "depends_on": [""],', ...lines.slice(second + 1)].join('\n');
    await window.editor.replaceText(draft);
    await window.editor.goTo(second + 2, '      "depends_on": ["'.length + 1);
    const tasks = await offered();
    assert.ok(
      tasks.some((row) => row.startsWith('api')),
      tasks.join('; '),
    );
    assert.ok(!tasks.some((row) => row.startsWith('docs')), tasks.join('; '));
    await window.screenshot('plan-editor-completion');
    await window.page.keyboard.press('Enter');
    assert.ok((await window.editor.text()).includes('"depends_on": ["api"],'));
    await window.editor.replaceText(text.replace('"out/docs.txt"', '"tools/"'));
    const place = (await window.editor.text()).split('\n').findIndex((line) => line.includes('"tools/"'));
    const column = ((await window.editor.text()).split('\n')[place] ?? '').indexOf('"tools/"') + '"tools/'.length + 1;
    await window.editor.goTo(place + 1, column);
    const paths = await offered();
    assert.ok(
      paths.some((row) => row.includes('tools/step.mjs')),
      paths.join('; '),
    );
    await window.page.keyboard.press('Escape');
    await window.editor.replaceText(text);
    await window.editor.save();
  });

  it('shows errors where they are counted', async () => {
    const text = await window.editor.text();
    await window.editor.replaceText(text.replace('"out/docs.txt"', '"../docs.txt"'));
    await window.editor.goTo(1);
    await lens('1 error: see the Problems panel');
    assert.ok(!(await lenses()).some((line) => line.includes('Run')));
    await window.editor.replaceText(text);
    await window.editor.save();
    await window.editor.goTo(1);
    await lens('Draft');
  });

  it('is approved and run from the line above it, and shows the state of each task', async () => {
    await press('Approve', async () => window.quickInput.isOpen());
    await answerName(window);
    await approveShown(window);
    await window.notifications.waitFor(/Plan written is approved/);
    await lens('Approved');
    await press('Run', async () =>
      /Mission written/.test((await window.statusBarItem('missionControl.status'))?.text ?? ''),
    );
    await waitForStatus(window, /Mission written 0\/2/);
    await window.editor.open(workspace.planPath);
    await window.editor.goTo(1);
    await lens('Mission running, 0 of 2 done');
    await lens('running');
    await workspace.openGate('api');
    await workspace.openGate('docs');
    await waitForStatus(window, 'Mission written completed');
    await lens('Mission completed, 2 of 2 done');
    const line = (await window.editor.text()).split('\n').findIndex((each) => each.includes('"task_id": "api"')) + 1;
    await window.editor.goTo(line, 20);
    await window.command('Show or Focus Hover');
    const told = await waitFor(
      async () => {
        const text = (await window.page.locator('.monaco-hover .hover-contents').allInnerTexts())
          .join('\n')
          .replaceAll('\u00a0', ' ');
        return text.includes('Task api') && text;
      },
      { what: 'what is known of the task' },
    );
    assert.match(told, /Task api: done/);
    await window.screenshot('plan-editor-hover');
  });

  it('is left alone where a file only looks like a plan', async () => {
    const other = path.join(workspace.workspaceDir, 'PLAN_other.json');
    writeFileSync(other, '{"plan_id": "x", "tasks": [{"task_id": "api"}]}\n');
    await window.editor.open(other);
    assert.deepEqual(await lenses(), []);
  });
});
