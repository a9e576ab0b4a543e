import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { approveShown } from './approving';
import { doctorText } from './doctorText';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import { answerName, makeMissionWorkspace, openMissionWindow, waitForStatus } from './missionWorkspace';
import type { MissionWorkspace } from './missionWorkspace';

describe('a folder of plans that are in different states', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;

  story(async () => {
    workspace = await makeMissionWorkspace('one', ['only'], { git: true });
    const draft = await readFile(workspace.planPath, 'utf8');
    const write = (id: string, text: string): Promise<void> =>
      writeFile(planFile(id), text.replace('"plan_id": "one"', `"plan_id": "${id}"`));
    await write('two', draft);
    await write('wrong', draft.replace('"level": 1', '"level": 7').replace('"contract_version"', '"contract"'));
    // VS Code says nothing about files there: who waits for it would wait for ever.
    await mkdir(path.join(workspace.workspaceDir, '.vscode'));
    const settings = { 'files.watcherExclude': { '**/docs/plans/**': true } };
    await writeFile(path.join(workspace.workspaceDir, '.vscode/settings.json'), JSON.stringify(settings));
    window = await openMissionWindow(workspace);
  });

  const planFile = (id: string): string => path.join(workspace.workspaceDir, `docs/plans/PLAN_${id}.json`);
  const offer = /Git may change line ends/;
  const codesOf = async (id: string): Promise<readonly string[]> =>
    (await window.problems()).filter(({ file }) => file === planFile(id)).map(({ code }) => code);

  /** Name of each plan that Validate Plan offers, and what stands below it before its path. */
  async function offered(): Promise<readonly string[]> {
    await window.command('Mission Control: Validate Plan');
    await waitFor(async () => (await window.quickInput.labels()).includes('PLAN_one.json'), {
      what: 'the list of plans',
    });
    await window.screenshot('plan-picker');
    const rows = (await window.page.evaluate(PLAN_ROWS)) as readonly { readonly name: string; readonly said: string }[];
    const texts = rows.map(({ name, said }) => {
      const [state = '', file = ''] = said.replaceAll('\u00a0', ' ').split(' · ');
      assert.ok(file.endsWith(`/${name}`), said);
      return `${name}: ${state}`;
    });
    await window.quickInput.dismiss();
    return texts;
  }

  it('shows the state of each plan', async () => {
    assert.deepEqual(await offered(), ['PLAN_one.json: draft', 'PLAN_two.json: draft', 'PLAN_wrong.json: 2 errors']);
  });

  it('forgets a finding at once when its plan is approved, although VS Code never reports the file', async () => {
    await waitFor(async () => (await codesOf('one')).join() === 'STATUS_NOT_APPROVED', { what: 'the finding' });
    await approve('one');
    assert.deepEqual(await codesOf('one'), []);
  });

  it('asks once in a repository whether Git may change the bytes of approved files', async () => {
    const question = await window.notifications.waitFor(offer);
    assert.deepEqual(question.buttons, ['Add Lines', 'Not Here']);
    await window.screenshot('git-attributes');
    await window.notifications.click(offer, 'Not Here');
    await waitFor(async () => !(await asksAgain()), { what: 'the question to go' });
    await window.reload();
    await approve('two');
    // Whatever follows an approval is over when its mission has run.
    await window.command('Mission Control: Run Plan');
    await pickPlan('two');
    await workspace.openGate('only');
    await waitForStatus(window, 'Mission two completed');
    assert.equal(await asksAgain(), false);
  });

  it('shows of each plan how its newest mission stands', async () => {
    assert.deepEqual(await offered(), [
      'PLAN_one.json: approved',
      'PLAN_two.json: approved, mission completed',
      'PLAN_wrong.json: 2 errors',
    ]);
  });

  it('repairs what the doctor finds, after naming it', async () => {
    const state = path.join(workspace.workspaceDir, '.mission-control');
    await chmod(state, 0o755);
    await window.command('Mission Control: Doctor');
    await waitForPage('FAIL state-folder');
    await window.screenshot('doctor-finding');
    await window.notifications.click(/^Doctor: state-folder can be repaired/, 'Repair…');
    const dialog = await window.dialogs.read();
    assert.equal(dialog.message, 'Repair state-folder?');
    assert.match(dialog.detail, /others may look into it\n\nThis will set the mode of .* to 700\.$/);
    assert.equal((await stat(state)).mode & 0o777, 0o755, 'nothing is done before a person says so');
    await window.screenshot('doctor-repair');
    await window.dialogs.answer('Repair');
    await waitForPage('ok state-folder');
    assert.equal((await stat(state)).mode & 0o777, 0o700);
    // The README shows the page, and no folder of the machine that took the picture.
    const page = await window.webviewFrame('Doctor');
    await page.evaluate(withoutPath(process.execPath, '/usr/bin/node'));
    await window.screenshotOf('doctor', page.locator('main'), 480);
  });

  async function approve(id: string): Promise<void> {
    // Not open in an editor: there VS Code would tell of its new text.
    await window.command('View: Close All Editors');
    await window.command('Mission Control: Approve Plan');
    await pickPlan(id);
    if (id === 'one') await answerName(window);
    await approveShown(window);
    await window.notifications.waitFor(new RegExp(`^Plan ${id} is approved`));
  }

  /** Until it is the only one left: the list may be drawn anew between a look and a click. */
  async function pickPlan(id: string): Promise<void> {
    const plans = async (): Promise<string> =>
      (await window.quickInput.labels()).filter((label) => label.startsWith('PLAN_')).join();
    await waitFor(async () => (await plans()) !== '', { what: 'the list of plans' });
    await window.page.keyboard.type(`PLAN_${id}.json`);
    await waitFor(async () => (await plans()) === `PLAN_${id}.json`, { what: `the plan ${id} alone` });
    await window.page.keyboard.press('Enter');
  }

  async function asksAgain(): Promise<boolean> {
    return (await window.notifications.list()).some(({ text }) => offer.test(text));
  }

  async function waitForPage(part: string): Promise<void> {
    await waitFor(async () => (await doctorText(window)).includes(part), {
      what: `"${part}" on the page of the doctor`,
    });
  }
});

/** In one look: the list is drawn anew while it settles. */
const PLAN_ROWS = `[...document.querySelectorAll('.quick-input-list .monaco-list-row')].map((row) => ({
  name: row.querySelector('.label-name')?.innerText ?? '',
  said: row.querySelector('.quick-input-list-label-meta')?.innerText ?? '',
}))`;

/** Returns a program for a page that writes `other` wherever the page shows `shown`. */
function withoutPath(shown: string, other: string): string {
  return `(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode())
      texts.currentNode.data = texts.currentNode.data.replaceAll(${JSON.stringify(shown)}, ${JSON.stringify(other)});
  })()`;
}
