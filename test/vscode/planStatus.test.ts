import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { approveShown } from './approving';
import { openMenu } from './harness/menu';
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

/** A plan from its first mistake to a change after its mission, by what VS Code shows around its editor. */
describe('around a plan in the editor', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    workspace = await makeMissionWorkspace('status', ['api', 'docs']);
    window = await openMissionWindow(workspace, {
      userSettings: { 'editor.codeLens': true, 'workbench.colorTheme': 'Default High Contrast' },
    });
    await window.editor.open(workspace.planPath);
  });

  /** What the language status says, as it is read when a person points at `{}`. */
  async function status(says: RegExp): Promise<string> {
    const shown = window.page.locator('.hover-language-status');
    return waitFor(
      async () => {
        if ((await shown.count()) === 0) await window.page.locator('[id$="status.languageStatus"] a').first().click();
        const text = (await shown.allInnerTexts()).join('\n');
        return says.test(text) && text;
      },
      { what: `a language status like ${says}` },
    );
  }
  const closeStatus = (): Promise<void> => window.page.keyboard.press('Escape');

  it('mends what is found, from the light bulb of the Problems panel', async () => {
    const text = await window.editor.text();
    await window.editor.replaceText(text.replace('"out/docs.txt"', '"out/docs.txt", "docs/plans"'));
    await window.editor.save();
    const [problem] = await waitFor(
      async () => {
        const found = await window.problems();
        return (
          found.some(({ code }) => code === 'PATH_RESERVED') && found.filter((one) => one.code === 'PATH_RESERVED')
        );
      },
      { what: 'the problem' },
    );
    assert.ok(problem?.message.includes('docs/plans'));
    const row = window.page.locator('.markers-panel-container .monaco-list-row', { hasText: 'docs/plans' }).last();
    await row.click();
    const bulb = row.locator('.codicon-lightbulb, .codicon-light-bulb, .codicon-lightbulb-autofix').first();
    const fixes = await openMenu(window.page, 'the bulb', () => bulb.click());
    await window.screenshot('plan-quick-fix');
    await fixes.choose('Remove "docs/plans" from paths');
    await waitFor(async () => (await window.editor.text()) === text, { what: 'the text as it was' });
    await window.editor.save();
    await waitFor(async () => !(await window.problems()).some(({ code }) => code === 'PATH_RESERVED'), {
      what: 'no problem',
    });
  });

  it('has an outline of its tasks', async () => {
    await window.command('Explorer: Focus on Outline View');
    const rows = window.page.locator('.outline-pane .monaco-list-row');
    const names = await waitFor(
      async () => {
        const texts = (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
        return texts.some((text) => text.startsWith('api')) && texts;
      },
      { what: 'the tasks in the outline' },
    );
    assert.ok(
      names.some((name) => name.startsWith('status')),
      names.join('; '),
    );
    assert.ok(
      names.some((name) => name.startsWith('docs')),
      names.join('; '),
    );
    await window.screenshot('plan-outline');
  });

  it('says in the language status that it is a draft, and approves from there', async () => {
    const said = await status(/Draft/);
    assert.match(said, /Not locked/);
    await window.screenshot('plan-language-status');
    await window.page.locator('.hover-language-status a', { hasText: 'Approve' }).first().click();
    await answerName(window);
    await approveShown(window);
    await window.notifications.waitFor(/Plan status is approved/);
    await window.editor.open(workspace.planPath);
    await status(/Approved here/);
    await window.screenshot('plan-approved-status');
    await closeStatus();
  });

  it('says which mission holds it', async () => {
    await window.page.locator('.editor-actions .action-label[aria-label^="Run Plan"]').first().click();
    await waitForStatus(window, /Mission status 0\/2/);
    await window.editor.open(workspace.planPath);
    await status(/Locked by its mission/);
    await closeStatus();
    await workspace.openGate('api');
    await workspace.openGate('docs');
    await waitForStatus(window, 'Mission status completed');
  });

  it('compares what was locked with what it says now, and the locked side cannot be edited', async () => {
    const before = await readFile(workspace.planPath, 'utf8');
    await writeFile(workspace.planPath, before.replace('"goal_id": "', '"goal_id": "changed-'));
    await window.editor.open(workspace.planPath);
    await status(/Changed since approval/);
    const compare = window.page.locator('.hover-language-status a', { hasText: 'Compare' });
    await waitFor(async () => (await compare.count()) === 2, { what: 'the comparison, twice' });
    await window.screenshot('plan-changed-status');
    await closeStatus();
    await window.editor.goTo(1);
    const lens = window.page.locator('.codelens-decoration a', { hasText: 'Compare with what it locked' });
    await lens.first().waitFor();
    await window.page
      .locator('.editor-actions .action-label[aria-label^="Compare With Locked Plan"]')
      .first()
      .waitFor();
    await lens.first().click();
    const diff = window.page.locator('.editor-group-container.active .monaco-diff-editor');
    await diff.waitFor();
    const tab = window.page.locator('.editor-group-container.active .tab.active');
    await waitFor(async () => (await tab.innerText()).includes('locked by its mission'), {
      what: 'the title of the tab',
    });
    const textOf = (side: string): Promise<string> => diff.locator(`.editor.${side} .view-lines`).innerText();
    // The lines are drawn after the editors are there.
    const sides = await waitFor(
      async () => {
        const [left, right] = await Promise.all(['original', 'modified'].map(textOf));
        return left?.includes('goal_id') && right?.includes('goal_id') && ([left, right] as const);
      },
      { what: 'the lines of both sides' },
    );
    assert.deepEqual(
      sides.map((text) => text.includes('changed-')),
      [false, true],
    );
    await window.screenshot('plan-compared');
    const locked = path.join(workspace.workspaceDir, 'docs/ops/executions/status/PLAN.locked.json');
    assert.equal(await readFile(locked, 'utf8'), before);
  });
});
