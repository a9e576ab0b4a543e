import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { approveShown } from './approving';
import { story } from './harness/story';
import { Trees } from './harness/trees';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { runInWindow, waitForStatus, type MissionWorkspace } from './missionWorkspace';

/** One mission is done and another one is blocked: the page belongs to the person. */
describe('the page stays on the mission that was chosen', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;
  let trees: Trees;

  story(async () => {
    ({ workspace, window } = await runInWindow('first', ['one']));
    trees = new Trees(window.page);
    await workspace.openGate('one');
    await waitForStatus(window, 'Mission first completed');
  });

  async function waitForPage(title: string): Promise<void> {
    const frame = await window.webviewFrame('Mission Control');
    await frame.locator('h1', { hasText: title }).waitFor();
  }

  async function others(): Promise<string> {
    const frame = await window.webviewFrame('Mission Control');
    return frame.locator('.others').innerText();
  }

  async function waitForSelected(title: string): Promise<void> {
    await waitFor(async () => (await trees.row('Missions', title).getAttribute('aria-selected')) === 'true', {
      what: `the row of ${title} to be selected`,
    });
  }

  it('while another one is blocked, which it says by its count', async () => {
    const first = await readFile(workspace.planPath, 'utf8');
    const second = workspace.planPath.replace('PLAN_first', 'PLAN_second');
    await writeFile(second, first.replaceAll('one', 'two').replace('"plan_id": "first"', '"plan_id": "second"'));
    await workspace.breakTask('two');
    await window.editor.open(second);
    await window.command('Mission Control: Run Plan');
    await approveShown(window, 'Approve and Run');
    await waitForStatus(window, /second blocked/);
    await window.command('View: Show Mission Control');
    await waitForSelected('second');
    await trees.row('Missions', 'first').click();
    await waitForPage('first');
    assert.equal(await others(), '1 other needs you');
    await window.screenshot('page-stays');
  });

  it('also after a reload of the window', async () => {
    await window.reload();
    await waitForStatus(window, /second blocked/);
    await waitForPage('first');
    await waitForSelected('first');
    assert.equal(await others(), '1 other needs you');
  });

  it('shows what a matter is about when its row is clicked, before it asks', async () => {
    await trees.row('Needs You', 'two').click();
    await waitForPage('second');
    await waitForSelected('second');
    await window.screenshot('page-shows-matter');
    await window.page.keyboard.press('Escape');
  });

  it('and stays there when the mission that a person decided about has completed', async () => {
    await workspace.mendTask('two');
    await workspace.openGate('two');
    await window.command('Mission Control: Retry Task');
    await window.quickInput.answer('It is mended');
    await waitForStatus(window, 'Mission second completed');
    await waitForPage('second');
    await waitForSelected('second');
  });

  it('of an approved plan has a button that runs it, once a person said so in a dialog', async () => {
    const first = await readFile(workspace.planPath, 'utf8');
    const third = workspace.planPath.replace('PLAN_first', 'PLAN_third');
    await writeFile(third, first.replaceAll('one', 'three').replace('"plan_id": "first"', '"plan_id": "third"'));
    await window.editor.open(third);
    await window.command('Mission Control: Approve Plan');
    await approveShown(window);
    await window.notifications.waitFor(/^Plan third is approved/);
    // The page lists plans where no tree beside it does.
    await window.command('View: Show Explorer');
    await window.command('Mission Control: Show Mission Control');
    const page = await window.webviewFrame('Mission Control');
    await page.locator('.missions .entry', { hasText: 'third' }).click();
    await waitForPage('third');
    await window.screenshot('page-of-plan');
    for (const answer of ['Not Now', 'Run']) {
      await page.getByRole('button', { name: 'Run Plan…' }).click();
      const asked = await window.dialogs.answer(answer);
      assert.equal(asked.message, 'Run plan third?');
      if (answer === 'Not Now') assert.equal(await page.locator('[data-section="draft"]').count(), 1);
    }
    await waitForStatus(window, /third 0\/1/);
  });
});
