import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openMenu, type Menu } from './harness/menu';
import type { Frame } from './harness/playwright';
import { story } from './harness/story';
import { Trees } from './harness/trees';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import {
  approveAndRun,
  makeMissionWorkspace,
  openMissionWindow,
  verifyEvidence,
  waitForEvent,
  waitForStatus,
  type MissionWorkspace,
} from './missionWorkspace';

/** Calls our commands with arguments that no menu makes. */
const forging = 'test/vscode/fixtures/forging-extension';
const megabyte = 'x'.repeat(2 ** 20);

/** VS Code's own buttons and menus beside the page, which are about what the page shows. */
describe('the controls beside Mission Control, in the real VS Code', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;
  let frame: Frame;

  story(async () => {
    workspace = await makeMissionWorkspace('steered', ['first', 'second', 'third']);
    window = await openMissionWindow(workspace, { otherExtensionDirs: [forging] });
    await approveAndRun(window, workspace);
    await waitForStatus(window, /Mission steered 0\/3/);
    await window.command('Mission Control: Show Mission Control');
    frame = await window.webviewFrame('Mission Control');
  });

  const buttons = async (): Promise<readonly string[]> => {
    const all = await window.page.locator('.editor-group-container.active .editor-actions .action-label').all();
    return Promise.all(all.map(async (one) => (await one.getAttribute('aria-label')) ?? ''));
  };
  const button = (name: RegExp): Promise<string> =>
    waitFor(async () => (await buttons()).find((label) => name.test(label)), { what: `a button ${String(name)}` });
  const press = async (name: RegExp): Promise<void> => {
    const label = await button(name);
    await window.page
      .locator(`.editor-group-container.active .editor-actions .action-label[aria-label="${label}"]`)
      .click();
  };
  const menuOn = (selector: string): Promise<Menu> =>
    openMenu(window.page, selector, () => frame.locator(selector).first().click({ button: 'right' }));
  const overflow = (): Promise<Menu> => openMenu(window.page, 'the title', () => press(/^More Actions/));
  /** What a refused call changes nothing of. */
  const decisions = async (): Promise<number> =>
    (await workspace.events()).filter(({ actor }) => actor.kind === 'human').length;
  it('are buttons for what the mission in full takes: Pause and Stop Worker while a worker runs', async () => {
    await button(/Pause/);
    await button(/Stop Worker/);
    const others = /Resume|Resolve Blocker|Open Evidence/;
    assert.ok(!(await buttons()).some((label) => others.test(label)), (await buttons()).join());
    await window.screenshot('controls-running');
  });

  it('are a menu on a task that names what this task takes, and acts on it without asking which', async () => {
    const menu = await menuOn('tr[data-task="third"]');
    const { items } = menu;
    assert.ok(items.includes('Skip Task'), items.join('; '));
    // It never began, so there are no changes of it.
    assert.ok(!items.some((item) => /Retry Task|Stop Worker|Review Changes|Copy|Cut/.test(item)), items.join('; '));
    await window.screenshot('controls-task-menu');
    await menu.choose('Skip Task');
    const asked = await window.dialogs.answer('Skip Task');
    assert.match(asked.message, /Skip task third of mission steered\?/);
    await window.quickInput.asks(/Task third is skipped\. The reason stands in the evidence of mission steered/);
    await window.quickInput.answer('Not needed');
    await waitFor(async () => (await workspace.events()).some(({ event }) => event.type === 'TasksSkipped'), {
      what: 'the skipped task',
    });
  });

  /** Clicks while the page says something else of itself, as one would that was taken over. */
  const forge = async (said: object): Promise<void> => {
    const row = frame.locator('tr[data-task="second"]').first();
    const honest = await row.getAttribute('data-vscode-context');
    const set = (context: string): Promise<unknown> =>
      frame.evaluate(
        `document.querySelector('tr[data-task="second"]').setAttribute('data-vscode-context', ${JSON.stringify(context)})`,
      );
    await set(JSON.stringify({ ...(JSON.parse(honest ?? '{}') as object), ...said }));
    await (await menuOn('tr[data-task="second"]')).choose('Skip Task');
    await set(honest ?? '');
  };

  it('refuse what a forged page calls them on, by saying what is wrong with it', async () => {
    const before = await decisions();
    const task = 'Skip Task: its menu names no task of mission steered.';
    const mission = 'Skip Task: its menu names no mission that is shown.';
    const shape = 'Skip Task: it was called on something that is no mission and no plan.';
    const cases = [
      [{ task_id: 'elsewhere' }, task],
      [{ task_id: '../../etc/passwd' }, task],
      [{ task_id: '__proto__' }, task],
      [{ task_id: megabyte }, task],
      [{ task_id: 7 }, shape],
      [{ entry: 'mission steered-20200101T000000Z-aaaaaa' }, mission],
      [{ webviewSection: 'missionControl.task', entry: '__proto__' }, mission],
    ] as const;
    for (const [said, why] of cases) {
      await forge(said);
      const told = await window.notifications.waitFor(
        `${why} Nothing was changed; open the menu once more in Mission Control.`,
      );
      assert.ok(told.text.length < 200, told.text);
      await window.command('Notifications: Clear All Notifications');
    }
    assert.equal(await window.dialogs.isOpen(), false);
    assert.equal(await window.quickInput.isOpen(), false);
    assert.equal(await decisions(), before);
  });

  it('refuse what another extension calls them on as a menu would, and run no code of it', async () => {
    const before = await decisions();
    await window.command('Forging: Call With Forged Arguments');
    interface Called {
      readonly open: readonly string[];
      readonly calls?: number;
      readonly looked: number;
    }
    const file = path.join(workspace.workspaceDir, '../forged.json');
    let called: Called = { open: [], looked: 0 };
    const closed = waitFor(
      () => {
        called = JSON.parse(readFileSync(file, 'utf8')) as Called;
        return called.calls !== undefined && called.open.length === 0;
      },
      { what: 'each call to be refused', timeout: 60_000 },
    );
    await closed.catch((error: unknown) => assert.fail(`${String(error)}: not refused was ${called.open.join('; ')}`));
    assert.equal(called.looked, 0, 'a getter was asked');
    // Those that are in view: test/extension/panel has the words of each.
    // VS Code's own notification comes where the machine is busy.
    const told = (await window.notifications.list())
      .map(({ text }) => text)
      .filter((text) => text !== 'Activating Extensions...');
    assert.ok(told.length > 3, told.join());
    for (const text of told) {
      assert.match(text, /^(Cancel Mission|Pause|Skip Task|Approve Plan): /);
      assert.match(text, /Nothing was changed|nothing was done/);
      assert.ok(text.length < 200, text);
    }
    assert.equal(await window.dialogs.isOpen(), false);
    assert.equal(await window.quickInput.isOpen(), false);
    assert.equal(await decisions(), before);
    await window.command('Notifications: Clear All Notifications');
  });

  it('are a menu on the mission, from which it is paused', async () => {
    const menu = await menuOn('[data-section="header"] h1');
    const { items } = menu;
    for (const item of ['Pause', 'Open Evidence', 'Export Handoff', 'Cancel Mission'])
      assert.ok(items.includes(item), `${item} in ${items.join('; ')}`);
    await menu.choose('Pause');
    await window.quickInput.asks(/Mission steered pauses after the current attempt/);
    await window.quickInput.answer('A meeting');
    await waitForStatus(window, /Mission steered pausing · 1 lane/);
    await window.notifications.waitFor(/^Pause: Pauses after the current attempt of first/);
    await window.screenshot('controls-pausing');
    await workspace.openGate('first');
    await waitForStatus(window, /Mission steered paused/);
    await window.notifications.waitForGone(/^Pause: /);
  });

  it('offer Resume in the title once it is paused, and it goes on', async () => {
    // The title follows the status bar.
    await waitFor(async () => !(await buttons()).some((label) => /Stop Worker/.test(label)), {
      what: 'Stop Worker to go',
    });
    await window.screenshot('controls-paused');
    await press(/Resume/);
    await window.quickInput.asks(/Mission steered goes on/);
    await window.quickInput.answer('Back again');
    await waitForStatus(window, /Mission steered 1\/3/);
  });

  it('have Cancel in the overflow of the title, which names the mission and cancels once it is confirmed', async () => {
    const menu = await overflow();
    const { items } = menu;
    for (const item of ['Review Changes', 'Open Evidence', 'Cancel Mission'])
      assert.ok(items.includes(item), `${item} in ${items.join('; ')}`);
    assert.ok(!(await buttons()).some((label) => /Cancel/.test(label)));
    await window.screenshot('controls-overflow');
    await menu.choose('Cancel Mission');
    const kept = await window.dialogs.answer('Keep Running');
    assert.equal(kept.message, 'Cancel mission steered?');
    assert.match(kept.detail, /Workers are stopped, one open task is canceled, .* ends as FAILED/);
    assert.equal(await window.quickInput.isOpen(), false);
    await waitForStatus(window, /Mission steered 1\/3/);
    await (await overflow()).choose('Cancel Mission');
    await window.dialogs.answer('Cancel Mission');
    await window.quickInput.asks(/Mission steered is canceled\. The reason stands in the evidence of mission steered/);
    await window.quickInput.answer('It is not needed');
    await waitForStatus(window, 'Mission steered canceled');
    await waitForEvent(workspace, 'MissionReported');
    await window.notifications.waitFor(/^Mission steered canceled/);
    await window.notifications.waitForGone(/^Cancel Mission: /);
    assert.equal(verifyEvidence(workspace).valid, true);
  });

  it('offer its evidence, and nothing that changes the mission, once it has ended', async () => {
    await button(/Open Evidence/);
    await window.screenshot('controls-ended');
    await waitFor(async () => !(await buttons()).some((label) => /Pause|Resume|Stop/.test(label)), {
      what: 'the buttons to go',
    });
    const { items } = await menuOn('[data-section="header"] h1');
    assert.ok(!items.some((item) => /Pause|Resume|Cancel/.test(item)), items.join('; '));
    await window.page.keyboard.press('Escape');
    const { items: left } = await overflow();
    assert.ok(left.includes('Review Changes'), left.join('; '));
    assert.ok(!left.some((item) => /Cancel Mission|Open Evidence/.test(item)), left.join('; '));
    await window.page.keyboard.press('Escape');
  });

  it('have buttons in the title of a view that do what they say whatever row has the focus', async () => {
    await window.command('View: Show Mission Control');
    const trees = new Trees(window.page);
    await window.command('Mission Control: Focus on Missions View');
    await trees.waitForKeys('Missions');
    await window.page.keyboard.press('Home');
    await waitFor(
      async () => (await trees.rows('Missions')).some(({ label, focused }) => focused && label === 'Finished'),
      {
        what: 'the focus on a heading',
      },
    );
    await window.command('View: Close All Editors');
    await window.command('Mission Control: Focus on Missions View');
    await trees.pane('Missions').hover();
    await trees.pane('Missions').locator('.pane-header .action-label[aria-label^="Show Mission Control"]').click();
    await window.webviewFrame('Mission Control');
  });
});
