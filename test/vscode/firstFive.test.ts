import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeScratch, type Scratch } from './harness/scratch';
import { story } from './harness/story';
import { DEFAULT_TIMEOUT, waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { doctorText } from './doctorText';
import { openMissionWindow } from './missionWorkspace';
import { looksOf } from './panelChecks';

/** The first five minutes in a repository of a person's own: the empty page, the walkthrough, the doctor. */
describe('the first five minutes', () => {
  let scratch: Scratch;
  let window: VscodeWindow;

  story(async () => {
    scratch = await makeScratch();
    await writeFile(path.join(scratch.workspaceDir, 'notes.md'), '# Notes\n');
    window = await openMissionWindow(scratch, {
      userSettings: { 'editor.codeLens': true, 'workbench.colorTheme': 'Default High Contrast' },
    });
  });

  const step = (id: string): ReturnType<VscodeWindow['page']['locator']> =>
    window.page.locator(`.getting-started-step[data-step-id$="#${id}"]`);
  const isTicked = async (id: string): Promise<boolean> =>
    (await step(id).locator('.codicon-getting-started-step-checked').count()) > 0;

  it('an empty page says which agents are here, and its cards open the steps of the walkthrough', async () => {
    await window.command('Mission Control: Show Mission Control');
    const frame = await window.webviewFrame('Mission Control');
    await frame.locator('[data-section="empty"]').waitFor();
    await waitFor(async () => /No agent CLI was found|On this machine/.test(await frame.locator('main').innerText()), {
      what: 'the agents of this machine',
    });
    await window.screenshot('empty-page');
    for (const id of ['check', 'sample', 'plan']) {
      await window.command('Mission Control: Show Mission Control');
      await (await window.webviewFrame('Mission Control')).locator(`[data-step="${id}"]`).click();
      await step(id).waitFor();
      await waitFor(async () => ((await step(id).getAttribute('class')) ?? '').includes('expanded'), {
        what: 'the step in full',
      });
    }
    assert.equal(await isTicked('plan'), false);
    assert.equal(await isTicked('check'), false);
    await window.screenshot('walkthrough');
  });

  it('a step ticks when it is done: the machine is checked, a plan is there', async () => {
    await step('check').click();
    await window.page
      .locator('.getting-started-step .button-container a, .getting-started-step .monaco-button', {
        hasText: 'Check This Machine',
      })
      .first()
      .click();
    await waitFor(async () => (await doctorText(window)) !== '', {
      what: 'the page of the doctor',
    });
    await window.command('Mission Control: New Plan');
    await window.quickInput.answer('first-1');
    await window.quickInput.pick('A command');
    await waitFor(async () => (await window.editor.activeTab())?.name === 'PLAN_first-1.json', { what: 'the draft' });
    // Until the plan is judged its step has nothing to tick by, and only the plan in front is judged.
    await window.page
      .locator('.editor-group-container.active .editor-actions .action-label[aria-label^="Approve Plan"]')
      .waitFor({ timeout: DEFAULT_TIMEOUT });
    const walkthrough = /Walkthrough|Welcome|Run your first/;
    // A click while another page is being shown is lost; one on the tab in front would lead out of the walkthrough.
    await waitFor(
      async () => {
        const front = await window.page.locator('.editor-group-container.active .tab.active').first().innerText();
        if (walkthrough.test(front)) return true;
        await window.page.locator('.tabs-container .tab', { hasText: walkthrough }).first().click();
        return undefined;
      },
      { what: 'the walkthrough in front' },
    );
    await waitFor(async () => (await isTicked('check')) && (await isTicked('plan')), { what: 'two ticks' });
    assert.equal(await isTicked('approve'), false);
    await window.screenshot('walkthrough-ticked');
  });

  it('the doctor offers what helps beside what lacks, and opens the setting where it stands', async () => {
    await window.command('Mission Control: Doctor');
    const page = await window.webviewFrame('Doctor');
    const button = (text: string): ReturnType<typeof page.locator> => page.locator('a.button', { hasText: text });
    await button('Install Codex in a Terminal').waitFor();
    assert.match(await doctorText(window), /not there codex .*Plans that name codex are refused\./);
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
