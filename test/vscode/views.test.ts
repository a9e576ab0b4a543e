import assert from 'node:assert/strict';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { approveShown } from './approving';
import type { Server } from './harness/server';
import { story } from './harness/story';
import { Trees } from './harness/trees';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';
import {
  answerName,
  approveAndRun,
  makeMissionWorkspace,
  openMissionWindow,
  startMissionServer,
  waitForEvent,
  waitForStatus,
  type MissionWorkspace,
} from './missionWorkspace';
import { looksOf, widthOf } from './panelChecks';

/** The name of no folder, as `openWindow` takes it. */
const noFolder = '';
const showViews = 'View: Show Mission Control';
const hostile = '[x](command:workbench.action.closeWindow)$(error)\u202e**bold**\u001b[31m';
const hostileShown = String.raw`[x](command:workbench.action.closeWindow)$(error)\u202e**bold**\x1b[31m`;

describe('the views in the activity bar, beside a mission of three lanes', () => {
  let workspace: MissionWorkspace;
  let window: VscodeWindow;
  let trees: Trees;

  story(async () => {
    const tasks = ['alpha', 'beta', 'gamma', 'last'];
    workspace = await makeMissionWorkspace('three', tasks, { lanes: 3, after: { last: ['alpha'] } });
    const another = path.join(workspace.workspaceDir, 'docs/plans/PLAN_strange.json');
    const plan = {
      plan_id: hostile,
      status: 'DRAFT',
      goal: `<p hidden> <a b=c>${hostile}`,
      tasks: [{ task_id: hostile }],
    };
    await writeFile(another, `${JSON.stringify(plan)}\n`);
    window = await openMissionWindow(workspace);
    await approveAndRun(window, workspace);
    trees = new Trees(window.page);
    await waitForStatus(window, 'Mission three 0/4 · 3 lanes');
    await window.command(showViews);
  });

  it('list it with its tasks and what runs, and the plan that it has locked', async () => {
    for (const lane of ['alpha', 'beta', 'gamma']) await trees.waitFor('Missions', lane, /^running/);
    await trees.waitFor('Missions', 'three', /^0\/4 · /);
    await trees.waitFor('Missions', 'last', /^to do · waits for alpha$/);
    await trees.waitFor('Plans', 'three', /^locked by mission, running/);
    assert.equal((await trees.welcome('Needs You')).text, 'Nothing needs you.');
    assert.equal(await trees.badge(), '');
    await window.screenshot('views-running');
  });

  it('list the missions instead of the page, which lists them again once the views are out of sight', async () => {
    await window.command('Mission Control: Show Mission Control');
    const frame = await window.webviewFrame('Mission Control');
    await trees.waitFor('Plans', hostileShown, /^draft · \d+ errors/);
    const listed = async (): Promise<boolean> => (await frame.locator('nav.missions').count()) === 1;
    assert.equal(await listed(), false);
    await window.command('View: Show Explorer');
    await waitFor(listed, { what: 'the list of the page' });
    await window.command(showViews);
    await waitFor(async () => !(await listed()), { what: 'the list of the page to go' });
  });

  it('show what others wrote as text', async () => {
    const row = trees.row('Plans', hostileShown);
    assert.equal(await row.locator('a[href], b, strong, .label-name .codicon, .label-description .codicon').count(), 0);
    await row.hover();
    const hover = window.page.locator('.workbench-hover');
    await hover.first().waitFor();
    const told = await hover.first().innerText();
    assert.ok(told.includes(`<p hidden> <a b=c>${hostileShown}`), told);
    // With spaces that do not break, a line would end within a word.
    assert.ok(told.includes('The document lacks "contract_version"; add it.'), told);
    assert.equal(await hover.locator('a[href], a[data-href], strong, .codicon').count(), 0);
    await window.screenshot('views-hostile');
    await window.page.mouse.move(700, 300);
  });

  it('have buttons for what a row takes, which act on it', async () => {
    const buttons = await trees.buttons('Missions', 'beta');
    assert.deepEqual(
      buttons.map((name) => name.replace(/ \(.*/, '')),
      ['Show Worker Terminal', 'Stop Worker'],
    );
    await window.screenshot('views-buttons');
    await trees.press('Missions', 'beta', 'Stop Worker');
    const asked = await window.dialogs.answer('Stop Worker');
    assert.match(asked.message, /Stop the worker of task beta of mission three\?/);
    await window.quickInput.asks(/The worker of beta is stopped\. The reason stands in the evidence of mission three/);
    await window.quickInput.answer('Wrong one');
    const { event } = await waitForEvent(workspace, 'TaskStopRequested');
    assert.ok('task_id' in event && event.task_id === 'beta');
  });

  it('say how many things need a person, on the icon and in a row that opens what helps', async () => {
    await trees.waitFor('Needs You', 'beta', /^stopped · three/);
    await waitFor(async () => (await trees.badge()) === '1', { what: 'the badge' });
    await trees.waitFor('Missions', 'beta', /^stopped/);
    await window.command('Notifications: Clear All Notifications');
    await window.screenshot('views-blocked');
    await trees.row('Needs You', 'beta').click();
    const { title, items } = await window.quickInput.read();
    assert.equal(title, 'Resolve Blocker');
    assert.ok(items.includes('Try it again'), items.join('; '));
    await window.quickInput.dismiss();
  });

  it('have a native menu on a task that acts on exactly this task', async () => {
    const menu = await trees.menuOn('Missions', 'last');
    const { items } = menu;
    assert.ok(items.includes('Skip Task'), items.join('; '));
    assert.ok(!items.some((item) => /Retry|Stop Worker|Resolve/.test(item)), items.join('; '));
    await window.screenshot('views-menu');
    await menu.choose('Skip Task');
    const asked = await window.dialogs.answer('Skip Task');
    assert.match(asked.message, /Skip task last of mission three\?/);
    await window.quickInput.answer('Not needed');
    const { event } = await waitForEvent(workspace, 'TasksSkipped');
    assert.match(JSON.stringify(event), /"last"/);
    await trees.waitFor('Missions', 'last', /^skipped/);
  });

  it('are walked with the keyboard alone, and Enter does what a click does', async () => {
    await window.command('Mission Control: Focus on Missions View');
    await trees.waitForKeys('Missions');
    const press = (key: string): Promise<void> => window.page.keyboard.press(key);
    const focused = (label: string): Promise<unknown> =>
      waitFor(async () => (await trees.rows('Missions')).some((row) => row.label === label && row.focused), {
        what: `the focus on ${label}`,
      });
    await press('Home');
    await focused('Needs You');
    await press('ArrowDown');
    await focused('three');
    await press('ArrowLeft');
    await waitFor(async () => !(await trees.rows('Missions')).some(({ label }) => label === 'alpha'), {
      what: 'the tasks to be folded',
    });
    await press('ArrowRight');
    await trees.waitFor('Missions', 'alpha');
    await press('ArrowDown');
    await focused('alpha');
    const spoken = (await trees.rows('Missions')).find(({ label }) => label === 'alpha')?.spoken ?? '';
    assert.match(spoken, /^alpha, running/);
    await window.command('View: Close All Editors');
    await window.command('Mission Control: Focus on Missions View');
    await trees.waitForKeys('Missions');
    await press('Enter');
    const frame = await window.webviewFrame('Mission Control');
    await waitFor(async () => (await frame.locator('h1').innerText()).includes('three'), { what: 'the mission' });
    await focused('alpha');
  });

  it('count in the status bar, which opens a menu: what needs a person, then what runs, then the panel', async () => {
    await window.clickStatusBarItem('missionControl.status');
    const { items } = await window.quickInput.read();
    assert.equal(items[0], 'beta: stopped');
    // The details of entries are among them.
    for (const control of ['Show Worker Terminal', 'Stop Worker', 'Cancel Mission', 'Show Mission Control'])
      assert.ok(items.indexOf(control) > 0, `${control}: ${items.join('; ')}`);
    await window.screenshot('views-status-menu');
    await window.quickInput.pick('beta: stopped');
    await waitFor(async () => (await window.quickInput.read()).title === 'Resolve Blocker', {
      what: 'Resolve Blocker',
    });
    await window.quickInput.dismiss();
  });
});

describe('the views where there is nothing yet, and of a plan that comes', () => {
  let workspace: MissionWorkspace;
  let keptBack: string;
  let server: Server;
  let window: VscodeWindow;
  let trees: Trees;

  story(async () => {
    const name = 'a-plan-whose-name-is-as-long-as-somebody-who-never-types-it-would-make-it';
    workspace = await makeMissionWorkspace(name, ['only']);
    keptBack = path.join(path.dirname(workspace.workspaceDir), 'plan.json');
    await rename(workspace.planPath, keptBack);
    server = await startMissionServer(workspace, {
      userSettings: { 'workbench.colorTheme': 'Default High Contrast' },
    });
    window = await server.openWindow();
    trees = new Trees(window.page);
    await window.command(showViews);
  });

  it('offer how to begin', async () => {
    assert.equal((await trees.welcome('Needs You')).text, 'Nothing needs you.');
    // Each button once: the views stand one below the other.
    assert.deepEqual((await trees.welcome('Missions')).buttons, ['Run Sample', 'Open Walkthrough']);
    assert.deepEqual((await trees.welcome('Plans')).buttons, ['New Plan', 'Draft Plan With Agent']);
    await window.screenshot('views-empty');
    await trees.pane('Missions').locator('.monaco-button', { hasText: 'Open Walkthrough' }).first().click();
    await window.page.locator('.gettingStartedContainer', { hasText: 'Run your first mission' }).waitFor();
  });

  it('run the sample from there, to evidence', async () => {
    await trees.pane('Missions').locator('.monaco-button', { hasText: 'Run Sample' }).first().click();
    await answerName(window);
    await approveShown(window, 'Approve and Run');
    await waitForStatus(window, 'Mission sample-1 completed');
    await trees.waitFor('Plans', 'sample-1', /^done$/);
    await trees.waitFor('Missions', 'sample-1', /^completed · 2\/2/);
    await window.screenshot('views-sample');
  });

  it('validate, approve and run a plan in its row, which was never run', async () => {
    await rename(keptBack, workspace.planPath);
    await trees.waitFor('Plans', workspace.planId, /^draft$/);
    const names = (await trees.buttons('Plans', workspace.planId)).map((name) => name.replace(/ \(.*/, ''));
    assert.deepEqual(names, ['Validate Plan', 'Approve Plan', 'Run Plan', 'Open Plan']);
    await window.screenshot('views-plan-high-contrast');
    await trees.press('Plans', workspace.planId, 'Validate Plan');
    await window.notifications.waitForToast(/is a draft that lacks nothing but its approval/);
    await trees.press('Plans', workspace.planId, 'Approve Plan');
    await approveShown(window);
    await trees.waitFor('Plans', workspace.planId, /^approved$/);
    await trees.press('Plans', workspace.planId, 'Run Plan');
    await trees.waitFor('Missions', workspace.planId);
    await trees.waitFor('Plans', workspace.planId, /^locked by mission/);
    await window.screenshot('views-long-names');
    await window.command('View: Hide Panel');
    await window.page.setViewportSize({ width: 520, height: 900 });
    const frame = await window.webviewFrame('Mission Control');
    await waitFor(async () => (await widthOf(frame)) < 220, { what: 'a page as narrow as an editor can be' });
    assert.deepEqual(await looksOf(frame), []);
    await window.screenshot('views-narrow');
    await window.page.setViewportSize({ width: 1400, height: 900 });
    await workspace.openGate('only');
    await trees.waitFor('Plans', workspace.planId, /^done$/);
  });

  it('offer a sample and a folder in a window without one', async () => {
    const bare = await server.openWindow(noFolder);
    const none = new Trees(bare.page);
    await bare.command(showViews);
    const { text, buttons } = await none.welcome('Missions');
    assert.match(text, /Missions run in a folder, and none is open/);
    assert.deepEqual(buttons, ['Open Sample', 'Open Folder', 'Open Walkthrough']);
    await bare.screenshot('views-no-folder');
  });
});
