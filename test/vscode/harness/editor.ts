import path from 'node:path';
import type { Page } from './playwright';
import type { QuickInput } from './quickInput';
import { DEFAULT_TIMEOUT, waitFor } from './waitFor';

/** The text editor in the active group. */
export class Editor {
  constructor(
    private readonly page: Page,
    private readonly quickInput: QuickInput,
  ) {}

  /** Opens a file by its absolute path, as typed into Quick Open (ignored and hidden files too). */
  async open(file: string): Promise<void> {
    const name = path.basename(file);
    await this.quickInput.choose(path.resolve(file), name);
    await waitFor(async () => (await this.activeTab())?.name === name, { what: `a tab for ${name}` });
    await this.page
      .locator('.editor-group-container.active .monaco-editor .view-lines')
      .first()
      .waitFor({ timeout: DEFAULT_TIMEOUT });
  }

  /** The active tab: its label and whether it has unsaved changes. */
  async activeTab(): Promise<{ name: string; dirty: boolean } | undefined> {
    const tab = (await this.page.evaluate(ACTIVE_TAB)) as { name: string; dirty: boolean } | null;
    return tab ?? undefined;
  }

  /** Puts the cursor at a line and column, both counted from 1. */
  async goTo(line: number, column = 1): Promise<void> {
    await waitFor(
      async () => {
        await this.quickInput.openWith(`:${line},${column}`);
        return this.quickInput.press('Enter');
      },
      { what: `the cursor to go to ${line}:${column}` },
    );
    await this.focus();
  }

  /** Types at the cursor, key by key: auto-closing brackets and indentation apply, as for a person. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** Replaces the whole document by pasting, so that nothing is completed or indented. Does not save. */
  async replaceText(text: string): Promise<void> {
    const paste = async (): Promise<boolean> => {
      await this.focus();
      await this.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
      await this.page.keyboard.press('Control+A');
      await this.page.keyboard.press('Control+V');
      return (await this.text()) === text;
    };
    // A terminal that opens in between takes the focus, and the keys with it.
    await waitFor(paste, { what: 'the pasted text in the editor' });
  }

  /** The whole document, by select all and copy. The cursor ends at the end. */
  async text(): Promise<string> {
    await this.focus();
    await this.page.evaluate(`navigator.clipboard.writeText('\\u0000')`);
    await this.page.keyboard.press('Control+A');
    await this.page.keyboard.press('Control+C');
    const text = await waitFor(
      async () => {
        const copied = String(await this.page.evaluate('navigator.clipboard.readText()'));
        return copied !== '\u0000' && { copied };
      },
      { what: 'the copied text' },
    );
    await this.page.keyboard.press('Control+End');
    return text.copied;
  }

  /** Saves the active file and waits until its tab is clean. */
  async save(): Promise<void> {
    await this.focus();
    await this.page.keyboard.press('Control+S');
    await waitFor(async () => (await this.activeTab())?.dirty === false, { what: 'the file to be saved' });
  }

  /** Puts the keyboard focus into the editor without moving the cursor. */
  async focus(): Promise<void> {
    await this.quickInput.dismiss();
    const input = this.page.locator(
      '.editor-group-container.active .monaco-editor .native-edit-context, .editor-group-container.active .monaco-editor textarea.inputarea',
    );
    await input.first().focus({ timeout: DEFAULT_TIMEOUT });
  }
}

/** In one look: the tab may close between two. */
const ACTIVE_TAB = `(() => {
  const tab = document.querySelector('.editor-group-container.active .tab.active');
  return tab && { name: tab.dataset.resourceName ?? '', dirty: tab.classList.contains('dirty') };
})()`;
