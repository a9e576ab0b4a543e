import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openMenu } from './harness/menu';
import type { Scratch } from './harness/scratch';
import { makeScratch } from './harness/scratch';
import type { Server } from './harness/server';
import { startServer } from './harness/server';
import { stage, story } from './harness/story';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';

const EXTENSION = 'test/vscode/fixtures/probe-extension';
const STATUS = 'mission-control-tests.probe.probe.status';

interface ProbeEvent {
  event: string;
  host: number;
  [detail: string]: unknown;
}

/** What the probe extension and its terminal's program have written down so far. */
function recorded(scratch: Scratch, file: 'events' | 'worker' = 'events'): ProbeEvent[] {
  const name = path.join(scratch.workspaceDir, '.probe', `${file}.jsonl`);
  if (!existsSync(name)) return [];
  const lines = readFileSync(name, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as ProbeEvent);
}

async function waitForActivations(scratch: Scratch, count: number): Promise<ProbeEvent> {
  return waitFor(() => recorded(scratch).filter(({ event }) => event === 'activated')[count - 1], {
    what: `activation ${count} of the probe extension`,
  });
}

async function waitForText(window: VscodeWindow, text: string): Promise<void> {
  await waitFor(async () => (await window.statusBarItem('probe.status'))?.text === text, { what: `status "${text}"` });
}

describe('harness: one window of the real VS Code', () => {
  let scratch: Scratch;
  let server: Server;
  let window: VscodeWindow;

  stage(async () => {
    scratch = await makeScratch({ 'a.probe.json': '{\n  "value": "wrong"\n}\n', 'b.txt': 'one\n' });
    server = await startServer({ ...scratch, extensionDir: EXTENSION });
    window = await server.openWindow();
    await waitForActivations(scratch, 1);
  });

  it('reads a status bar item and its tooltip', async () => {
    await waitForText(window, 'Probe ready');
    const item = await window.statusBarItem(STATUS);
    assert.deepEqual([item?.id, item?.kind], [STATUS, 'none']);
    assert.equal(await window.statusBarTooltip(STATUS), 'Probe tooltip');
  });

  it('runs a command whose first Enter came when something else had the focus already', async () => {
    await window.page.evaluate(`(() => {
      const steal = (event) => {
        if (event.key !== 'Enter') return;
        removeEventListener('keydown', steal, true);
        event.stopImmediatePropagation();
        event.preventDefault();
        document.activeElement.blur();
      };
      addEventListener('keydown', steal, true);
    })()`);
    await window.command('Probe: Say Hello');
    await window.notifications.waitForToast('Hello from the probe');
    await window.command('Notifications: Clear All Notifications');
  });

  it('runs a command and answers its notification', async () => {
    await window.command('Probe: Say Hello');
    await window.notifications.waitForToast('Hello from the probe');
    await window.screenshot('harness-notification');
    const found = await window.notifications.waitFor('Hello from the probe');
    assert.deepEqual(found, {
      severity: 'info',
      text: 'Hello from the probe',
      source: 'Probe',
      buttons: ['Wave', 'Ignore'],
    });
    await window.notifications.click(/^Hello/, 'Wave');
    await waitForText(window, 'hello: Wave');
    assert.equal((await window.statusBarItem('probe.status'))?.kind, 'warning');
    assert.deepEqual(await window.notifications.list(), []);
  });

  it('runs the command of a status bar item by clicking it', async () => {
    await window.clickStatusBarItem(STATUS);
    await window.notifications.click('Hello from the probe', 'Ignore');
    await waitForText(window, 'hello: Ignore');
  });

  it('says which commands the palette offers', async () => {
    assert.ok((await window.quickInput.commandsMatching('Probe:')).includes('Probe: Confirm'));
    assert.ok(!(await window.quickInput.commandsMatching('Probe: No Such')).includes('Probe: No Such'));
    await assert.rejects(window.quickInput.choose('>Probe: No Such', 'Probe: No Such', 2000), /No Such/);
  });

  it('reads and answers a modal dialog', async () => {
    await window.command('Probe: Confirm');
    const dialog = await window.dialogs.read();
    assert.deepEqual(dialog.message, 'Really do it?');
    assert.deepEqual(dialog.detail, 'This is the detail\nof the probe.');
    assert.deepEqual([...dialog.buttons].sort(), ['Cancel', 'Do It', 'Other']);
    await window.dialogs.answer('Do It');
    await waitForText(window, 'confirm: Do It');
  });

  it('answers an input box and a quick pick', async () => {
    await window.command('Probe: Ask');
    assert.match((await window.quickInput.read()).message, /What is your name\?/);
    await window.quickInput.answer('Ada');
    await waitForText(window, 'ask: Ada');
    await window.command('Probe: Choose');
    await window.quickInput.pick('Green');
    await waitForText(window, 'choose: Green');
  });

  it('opens, edits and saves a file, and reads the Problems panel', async () => {
    const file = path.join(scratch.workspaceDir, 'a.probe.json');
    await window.editor.open(file);
    const expected = {
      file,
      severity: 'error',
      message: 'This value is wrong.',
      source: 'probe',
      code: 'PROBE_WRONG',
      line: 2,
      column: 13,
    };
    await waitFor(async () => (await window.problems()).length === 1, { what: 'one problem' });
    assert.deepEqual(await window.problems(), [expected]);
    await window.screenshot('harness-problems');
    await window.editor.replaceText('{\n\n  "a": [{}],\n  "value": "wrong"\n}\n');
    assert.equal((await window.editor.activeTab())?.dirty, true);
    await waitFor(async () => (await window.problems())[0]?.line === 4, { what: 'the problem to move' });
    await window.editor.save();
    assert.equal(readFileSync(file, 'utf8'), '{\n\n  "a": [{}],\n  "value": "wrong"\n}\n');
    await window.editor.goTo(4, 13);
    await window.editor.type('not ');
    assert.equal(await window.editor.text(), '{\n\n  "a": [{}],\n  "value": "not wrong"\n}\n');
    await window.editor.replaceText('{}\n');
    await window.editor.save();
    await waitFor(async () => (await window.problems()).length === 0, { what: 'no problems' });
  });

  it('presses a key in the quick input, and in nothing else that has the focus', async () => {
    await window.editor.open(path.join(scratch.workspaceDir, 'b.txt'));
    await window.quickInput.openWith('>Probe');
    await window.quickInput.dismiss();
    const before = await window.editor.text();
    assert.equal(await window.quickInput.press('Enter'), false);
    assert.equal(await window.editor.text(), before);
    await window.quickInput.openWith('>Probe: Show Webview');
    assert.equal(await window.quickInput.press('Escape'), true);
    assert.equal(await window.quickInput.isOpen(), false);
  });

  it('clicks inside a webview', async () => {
    await window.command('Probe: Show Webview');
    const frame = await window.webviewFrame('Probe View');
    await frame.locator('#send').click();
    await waitFor(async () => (await frame.locator('#reply').innerText()) === 'pong to ping', { what: 'the reply' });
    await window.screenshot('harness-webview');
  });

  it('takes an entry of a menu that VS Code closes before the click, or in the middle of it', async () => {
    const row = window.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'b.txt' });
    const menuShown = window.page.locator('.monaco-menu');
    // As when a terminal opens, or the page that was clicked takes the focus.
    const loseFocus = `window.dispatchEvent(new Event('blur'))`;
    const before = loseFocus;
    const within = `addEventListener('mousedown', () => ${loseFocus}, { capture: true, once: true })`;
    await window.command('View: Show Explorer');
    for (const closing of [before, within]) {
      let opened = 0;
      const menu = await openMenu(window.page, 'b.txt', async () => {
        opened += 1;
        await row.click({ button: 'right' });
      });
      assert.ok(menu.items.includes('Rename...'), menu.items.join('; '));
      await window.page.evaluate(closing);
      if (closing === before) await menuShown.waitFor({ state: 'hidden' });
      await menu.choose('Rename...');
      await window.page.locator('.explorer-item-edited input').waitFor();
      await window.page.keyboard.press('Escape');
      assert.equal(opened, 2);
    }
  });

  it('reads a terminal with its scrollback and closes it as a person does', async () => {
    assert.deepEqual(await window.terminals.list(), []);
    await window.command('Probe: Start Terminal');
    const text = await window.terminals.waitForText('Probe Worker', 'tty true');
    assert.match(text, /^line 1\nline 2\n/);
    assert.match(text, /^line 200\nenv .*ELECTRON_RUN_AS_NODE.*PROBE/m);
    assert.deepEqual(await window.terminals.list(), ['Probe Worker']);
    await window.terminals.type('Probe Worker', 'typed by a person');
    await window.terminals.waitForText('Probe Worker', /^typed by a person$/m);
    await window.screenshot('harness-terminal');
    await window.terminals.close('Probe Worker');
    const closed = await waitFor(() => recorded(scratch).find(({ event }) => event === 'terminal-closed'), {
      what: 'the extension to hear of it',
    });
    assert.equal(closed['reason'], 3);
    assert.deepEqual(await window.terminals.list(), []);
  });
});

describe('harness: windows that come and go', () => {
  let scratch: Scratch;
  let server: Server;
  let window: VscodeWindow;

  story(async () => {
    scratch = await makeScratch();
    server = await startServer({ ...scratch, extensionDir: EXTENSION, reconnectionGraceSeconds: 5 });
    window = await server.openWindow();
    await waitForActivations(scratch, 1);
    await window.command('Probe: Start Terminal');
    await window.terminals.waitForText('Probe Worker', 'tty true');
  });
  /** The one process that the terminal runs, for as long as nothing ended or started another. */
  async function assertSameWorkerLives(): Promise<void> {
    const events = recorded(scratch, 'worker').map(({ event }) => event);
    assert.deepEqual(
      events.filter((event) => event !== 'tick'),
      ['started'],
    );
    await waitFor(() => recorded(scratch, 'worker').length > events.length + 2, { what: 'the worker to go on' });
    await waitFor(async () => (await window.terminals.list()).length === 1, { what: 'the terminal to be attached' });
    assert.match(await window.terminals.text('Probe Worker'), /^tty true/m);
  }

  it('reloads: another extension host, the same terminal process, workspace state kept', async () => {
    const first = await waitForActivations(scratch, 1);
    await window.reload();
    const second = await waitForActivations(scratch, 2);
    assert.notEqual(second.host, first.host);
    assert.equal(second['activations'], 2);
    assert.equal(second['storage'], first['storage']);
    await assertSameWorkerLives();
    // The new host hears of the terminal some seconds after the window shows it.
    const reopened = await waitFor(
      () => recorded(scratch).findLast(({ event, host }) => event === 'terminal-opened' && host === second.host),
      { what: 'the terminal to be told to the new extension host' },
    );
    assert.equal(reopened['pid'], recorded(scratch, 'worker')[0]?.['pid']);
  });

  it('restarts the extension host: the terminal process goes on', async () => {
    const host = await window.restartExtensionHost();
    const third = await waitForActivations(scratch, 3);
    assert.deepEqual([third.host, third['activations']], [host, 3]);
    await assertSameWorkerLives();
  });

  it('is closed and opened again: its extension host ends at once, the terminal process is attached again', async () => {
    await window.close();
    await server.waitForExtensionHosts(0);
    window = await server.openWindow();
    const fourth = await waitForActivations(scratch, 4);
    assert.equal(fourth['activations'], 4);
    await assertSameWorkerLives();
  });

  it('vanishes: its extension host ends only after the grace time', async () => {
    const [host] = await server.extensionHosts();
    await window.terminals.waitUntilNoted();
    await window.vanish();
    assert.deepEqual(await server.extensionHosts(), [host]);
    await server.waitForExtensionHosts(0);
    window = await server.openWindow();
    await waitForActivations(scratch, 5);
    await assertSameWorkerLives();
  });

  it('has two windows on one folder, each with its own extension host', async () => {
    const second = await server.openWindow();
    await waitForActivations(scratch, 6);
    await server.waitForExtensionHosts(2);
    await waitForText(second, 'Probe ready');
    await waitForText(window, 'Probe ready');
    await second.close();
    await server.waitForExtensionHosts(1);
    writeFileSync(path.join(scratch.workspaceDir, '.probe/stop'), '');
    const closed = (): ProbeEvent | undefined => recorded(scratch).find((found) => found['reason'] === 2);
    const { code } = await waitFor(closed, { what: 'the end of the process to reach the extension' });
    assert.equal(code, 3);
  });
});

describe('harness: Restricted Mode', () => {
  let scratch: Scratch;
  let server: Server;

  stage(async () => {
    scratch = await makeScratch();
    server = await startServer({ ...scratch, extensionDir: EXTENSION, trust: 'on' });
  });

  it('starts restricted and becomes trusted without a new extension host', async () => {
    const window = await server.openWindow();
    await window.screenshot('harness-trust');
    const first = await waitForActivations(scratch, 1);
    assert.equal(first['trusted'], false);
    await window.command('Probe: Start Terminal');
    await waitForText(window, 'terminal: refused');
    await window.grantTrust();
    await waitFor(() => recorded(scratch).some(({ event }) => event === 'trusted'), { what: 'trust to be granted' });
    await window.command('Probe: Start Terminal');
    await window.terminals.waitForText('Probe Worker', 'tty true');
  });
});
