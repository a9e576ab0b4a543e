import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Dialogs } from './dialogs';
import { Editor } from './editor';
import { Notifications } from './notifications';
import type { Frame, Locator, Page } from './playwright';
import type { ProblemEntry } from './problems';
import { readProblems } from './problems';
import { QuickInput } from './quickInput';
import type { StatusBarEntry } from './statusBar';
import { readStatusBar, readStatusBarTooltip } from './statusBar';
import { Terminals } from './terminals';
import { DEFAULT_TIMEOUT, isMatch, waitFor } from './waitFor';

/** What a window needs to know of the server it belongs to. */
interface WindowOwner {
  /** The windows that are open; a closed one takes itself out. */
  windows: VscodeWindow[];
  extensionHosts(): Promise<number[]>;
}

/** One VS Code window, driven with keyboard and mouse. `page` is Playwright's, for what is missing here. */
export class VscodeWindow {
  readonly quickInput: QuickInput;
  readonly dialogs: Dialogs;
  readonly notifications: Notifications;
  readonly editor: Editor;
  readonly terminals: Terminals;

  constructor(
    readonly page: Page,
    private readonly server: WindowOwner,
  ) {
    this.quickInput = new QuickInput(page);
    this.dialogs = new Dialogs(page);
    this.notifications = new Notifications(page);
    this.editor = new Editor(page, this.quickInput);
    this.terminals = new Terminals(page, this.quickInput);
    // VS Code vetoes unloading only to save something; a person would say "Leave".
    page.on('dialog', (dialog) => void dialog.accept());
  }

  /** Loads the workbench and waits until it is drawn; extensions may still be starting. */
  async open(address: string): Promise<void> {
    await this.page.goto(address, { timeout: DEFAULT_TIMEOUT });
    await this.waitUntilDrawn();
    if (new URL(address).searchParams.has('workspace')) await this.waitUntilFoldersAreThere();
  }

  /** Runs a command from the palette by its full title ("Mission Control: Validate Plan"). */
  async command(title: string): Promise<void> {
    await this.quickInput.runCommand(title);
  }

  /** The entry with this id (`publisher.name.id`, or just the id given in code) or text. */
  async statusBarItem(textOrId: string | RegExp): Promise<StatusBarEntry | undefined> {
    return (await readStatusBar(this.page)).find(
      ({ id, text }) =>
        isMatch(text, textOrId) ||
        isMatch(id, textOrId) ||
        (typeof textOrId === 'string' && id.endsWith(`.${textOrId}`)),
    );
  }

  /** The rich tooltip that hovering the entry shows. */
  async statusBarTooltip(id: string): Promise<string> {
    return readStatusBarTooltip(this.page, id);
  }

  async clickStatusBarItem(id: string): Promise<void> {
    await this.page.locator(`.statusbar-item[id$="${id}"] a`).first().click();
  }

  /** Opens the Problems panel and reads it. */
  async problems(): Promise<ProblemEntry[]> {
    await this.command('Problems: Focus on Problems View');
    return readProblems(this.page);
  }

  /** The document inside the webview with this title (panel or view): two frames deep in the page. */
  async webviewFrame(title: string | RegExp): Promise<Frame> {
    return waitFor(async () => (await this.webviewFrames(title))[0], { what: `a webview titled ${String(title)}` });
  }

  /** The documents of the webviews that are there now. */
  async webviewFrames(title: string | RegExp): Promise<readonly Frame[]> {
    const found: Frame[] = [];
    for (const frame of this.page.frames()) {
      if (frame.parentFrame()?.parentFrame() !== this.page.mainFrame()) continue;
      // One that goes while it is asked does not count.
      const element = await frame.frameElement().catch(() => null);
      if (!isMatch((await element?.getAttribute('title').catch(() => null)) ?? '', title)) continue;
      if ((await element?.getAttribute('id').catch(() => null)) === 'active-frame') found.push(frame);
    }
    return found;
  }

  /** Writes into the user's settings, as a person does. */
  async changeSettings(changed: Readonly<Record<string, unknown>>): Promise<void> {
    await this.command('Preferences: Open User Settings (JSON)');
    const settings = JSON.parse(await this.editor.text()) as object;
    await this.editor.replaceText(JSON.stringify({ ...settings, ...changed }));
    await this.page.locator('.monaco-modal-editor-block a.codicon-close').first().click();
    await this.dialogs.answer('Save');
  }

  /** Trusts the folder of a window in Restricted Mode, through the trust editor. */
  async grantTrust(): Promise<void> {
    await this.command('Workspaces: Manage Workspace Trust');
    const editor = this.page.locator('.workspace-trust-editor');
    await editor.getByRole('button', { name: 'Trust', exact: true }).first().click();
    await editor.getByText('You trust this folder').first().waitFor({ timeout: DEFAULT_TIMEOUT });
    await this.page.locator('.monaco-modal-editor-block a.codicon-close').first().click();
    await editor.waitFor({ state: 'hidden', timeout: DEFAULT_TIMEOUT });
  }

  /** "Developer: Reload Window", and waits for the new workbench. */
  async reload(): Promise<void> {
    await this.page.evaluate('globalThis.missionControlBeforeReload = true');
    await this.command('Developer: Reload Window');
    await waitFor(async () => (await this.page.evaluate('globalThis.missionControlBeforeReload !== true')) === true, {
      what: 'the window to reload',
    });
    await this.waitUntilDrawn();
  }

  /**
   * Restarts the extension host the way this VS Code does it: its process dies and VS Code starts another one
   * by itself (up to three times in five minutes). The command "Developer: Restart Extension Host" exists in
   * the desktop build only. With several windows, say which process. Resolves to the new process id.
   *
   * VS Code asks its server how the process ended, and starts no other one when it has no answer after two seconds, as
   * on a machine that is busy. Then the window is reloaded, which is what is left to a person.
   */
  async restartExtensionHost(pid?: number): Promise<number> {
    const hosts = (): Promise<readonly number[]> => this.server.extensionHosts();
    // The one of a window that was reloaded lives a moment longer.
    const alone = async (): Promise<readonly number[] | false> => {
      const now = await hosts();
      return now.length === 1 && now;
    };
    const before = await (pid === undefined ? waitFor(alone, { what: 'a single extension host process' }) : hosts());
    const victim = pid ?? before[0];
    if (victim === undefined || !before.includes(victim) || (pid === undefined && before.length > 1)) {
      throw new Error(`which extension host? ${before.join(', ') || 'none runs'}`);
    }
    process.kill(victim, 'SIGKILL');
    const another = async (): Promise<number | false | undefined> => {
      const now = await this.server.extensionHosts();
      return now.length === before.length && now.find((found) => !before.includes(found));
    };
    try {
      return await waitFor(another, { what: 'another extension host process', timeout: 30_000 });
    } catch {
      await this.reload();
      return waitFor(another, { what: 'another extension host process, after a reload' });
    }
  }

  /** Closes the window as a person does: the page's unload handlers run. Reopen with server.openWindow(). */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.page.once('close', resolve));
    await this.page.close({ runBeforeUnload: true });
    await closed;
    this.forget();
  }

  /**
   * The window is gone without a word, as when the browser is killed or the laptop loses its network: its page's
   * process crashes, so no unload handler runs and VS Code keeps the extension host for the grace time
   * (ServerOptions.reconnectionGraceSeconds).
   */
  async vanish(): Promise<void> {
    const crashed = new Promise<void>((resolve) => this.page.once('crash', resolve));
    const session = await this.page.context().newCDPSession(this.page);
    // The command's own answer never comes: the page is dead.
    session.send('Page.crash').catch(() => undefined);
    await crashed;
    await this.page.close();
    this.forget();
  }

  /** Saves .artifacts/screenshots/<name>.png and returns its path. */
  async screenshot(name: string): Promise<string> {
    const file = path.resolve('.artifacts/screenshots', `${name.replace(/[^\w.-]+/g, '-')}.png`);
    await mkdir(path.dirname(file), { recursive: true });
    await this.page.screenshot({ path: file });
    return file;
  }

  /** Saves a picture of what is to be seen of an element, at most `height` pixels of it, as `screenshot` does. */
  async screenshotOf(name: string, element: Locator, height: number): Promise<void> {
    const box = await element.boundingBox();
    if (box === null) throw new Error(`Nothing is to be seen for ${name}.`);
    const file = path.resolve('.artifacts/screenshots', `${name}.png`);
    await mkdir(path.dirname(file), { recursive: true });
    await this.page.screenshot({ path: file, clip: { ...box, height: Math.min(height, box.height) } });
  }

  private async waitUntilDrawn(): Promise<void> {
    const timeout = DEFAULT_TIMEOUT;
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout });
    await this.page.locator('.monaco-workbench .part.editor').waitFor({ timeout });
    // The remote indicator is drawn once the connection to the server stands.
    await this.page.locator('.statusbar-item[id="status.host"]').waitFor({ timeout });
  }

  /**
   * On a busy machine VS Code now and then opens a `.code-workspace` as one without a folder, and it stays so until a
   * person loads the window anew.
   */
  private async waitUntilFoldersAreThere(): Promise<void> {
    const folder = this.page.locator('.explorer-folders-view .monaco-list-row').first();
    await waitFor(
      async () => {
        if (await isShownWithin(folder, 20_000)) return true;
        await this.page.reload();
        await this.waitUntilDrawn();
        return undefined;
      },
      { what: 'the folders of the workspace file' },
    );
  }

  private forget(): void {
    const index = this.server.windows.indexOf(this);
    if (index >= 0) this.server.windows.splice(index, 1);
  }
}

function isShownWithin(locator: Locator, timeout: number): Promise<boolean> {
  return locator.waitFor({ timeout }).then(
    () => true,
    () => false,
  );
}
