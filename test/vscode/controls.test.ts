import assert from 'node:assert/strict';
import { chooseInMenu, menuItems } from './harness/menu';
import type { Frame } from './harness/playwright';
import { story } from './harness/story';
import { waitFor } from './harness/waitFor';
import { runInWindow, waitForStatus, type MissionInWindow } from './missionWorkspace';

/** VS Code's own buttons and menus beside the page, which are about what the page shows. */
describe('the controls beside Mission Control, in the real VS Code', () => {
  let running: MissionInWindow;
  let frame: Frame;

  story(async () => {
    running = await runInWindow('steered', ['first', 'second', 'third']);
    await waitForStatus(running.window, /Mission steered 0\/3/);
    await running.window.command('Mission Control: Show Mission Control');
    frame = await running.window.webviewFrame('Mission Control');
  });

  const buttons = async (): Promise<readonly string[]> => {
    const all = await running.window.page.locator('.editor-group-container.active .editor-actions .action-label').all();
    return Promise.all(all.map(async (one) => (await one.getAttribute('aria-label')) ?? ''));
  };
  const button = (name: RegExp): Promise<string> =>
    waitFor(async () => (await buttons()).find((label) => name.test(label)), { what: `a button ${String(name)}` });
  const press = async (name: RegExp): Promise<void> => {
    const label = await button(name);
    await running.window.page
      .locator(`.editor-group-container.active .editor-actions .action-label[aria-label="${label}"]`)
      .click();
  };
  const menuOn = async (selector: string): Promise<readonly string[]> => {
    await frame.locator(selector).first().click({ button: 'right' });
    return menuItems(running.window.page, selector);
  };
  const choose = (item: string): Promise<void> => chooseInMenu(running.window.page, item);

  it('are buttons for what the mission in full takes: Pause and Stop Worker while a worker runs', async () => {
    await button(/Pause/);
    await button(/Stop Worker/);
    assert.ok(!(await buttons()).some((label) => /Resume|Resolve Blocker/.test(label)), (await buttons()).join());
    await running.window.screenshot('controls-running');
  });

  it('are a menu on a task that names what this task takes, and acts on it without asking which', async () => {
    const items = await menuOn('tr[data-task="third"]');
    assert.ok(items.includes('Skip Task'), items.join('; '));
    assert.ok(!items.some((item) => /Retry Task|Stop Worker|Copy|Cut/.test(item)), items.join('; '));
    await running.window.screenshot('controls-task-menu');
    await choose('Skip Task');
    const asked = await running.window.dialogs.answer('Skip Task');
    assert.match(asked.message, /Skip task third of mission steered\?/);
    await running.window.quickInput.asks(
      /Task third is skipped\. The reason stands in the evidence of mission steered/,
    );
    await running.window.quickInput.answer('Not needed');
    await waitFor(async () => (await running.workspace.events()).some(({ event }) => event.type === 'TasksSkipped'), {
      what: 'the skipped task',
    });
  });

  it('are a menu on the mission, from which it is paused', async () => {
    const items = await menuOn('[data-section="header"] h1');
    for (const item of ['Pause', 'Open Evidence', 'Export Handoff', 'Cancel Mission'])
      assert.ok(items.includes(item), `${item} in ${items.join('; ')}`);
    await choose('Pause');
    await running.window.quickInput.asks(/Mission steered pauses after the current attempt/);
    await running.window.quickInput.answer('A meeting');
    await waitForStatus(running.window, /Mission steered pausing · 1 lane/);
    await running.window.screenshot('controls-pausing');
    await running.workspace.openGate('first');
    await waitForStatus(running.window, /Mission steered paused/);
  });

  it('offer Resume in the title once it is paused, and it goes on', async () => {
    // The title follows the status bar.
    await waitFor(async () => !(await buttons()).some((label) => /Stop Worker/.test(label)), {
      what: 'Stop Worker to go',
    });
    await running.window.screenshot('controls-paused');
    await press(/Resume/);
    await running.window.quickInput.asks(/Mission steered goes on/);
    await running.window.quickInput.answer('Back again');
    await waitForStatus(running.window, /Mission steered 1\/3/);
    await running.workspace.openGate('second');
    await waitForStatus(running.window, 'Mission steered completed');
  });

  it('offer nothing that changes a mission once it has ended', async () => {
    await waitFor(async () => !(await buttons()).some((label) => /Pause|Resume|Stop/.test(label)), {
      what: 'the buttons to go',
    });
    const items = await menuOn('[data-section="header"] h1');
    assert.ok(!items.some((item) => /Pause|Resume|Cancel/.test(item)), items.join('; '));
    await running.window.page.keyboard.press('Escape');
  });
});
