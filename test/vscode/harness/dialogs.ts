import type { Page } from './playwright';
import { isMatch, waitFor } from './waitFor';

/** A modal dialog: the bold sentence, the text below it, the buttons from left to right. */
export interface DialogState {
  message: string;
  detail: string;
  buttons: string[];
}

export class Dialogs {
  constructor(private readonly page: Page) {}

  async isOpen(): Promise<boolean> {
    return this.page.locator('.monaco-dialog-box').isVisible();
  }

  /** Waits for a modal dialog and reads it. */
  async read(): Promise<DialogState> {
    return waitFor(() => this.now(), { what: 'a modal dialog' });
  }

  /** The dialog that is open, in one look: it may close between two. */
  private async now(): Promise<DialogState | null> {
    return (await this.page.evaluate(OPEN_DIALOG)) as DialogState | null;
  }

  /** Waits for a modal dialog, clicks this button, waits until the dialog is gone; returns what it said. */
  async answer(button: string | RegExp): Promise<DialogState> {
    const state = await this.read();
    const index = state.buttons.findIndex((text) => isMatch(text, button));
    if (index < 0)
      throw new Error(`the dialog "${state.message}" has no button ${String(button)}: ${state.buttons.join(', ')}`);
    await this.page.locator('.monaco-dialog-box .dialog-buttons .monaco-button').nth(index).click();
    await waitFor(async () => (await this.now())?.message !== state.message, {
      what: `the dialog "${state.message}" to close`,
    });
    return state;
  }
}

const OPEN_DIALOG = `(() => {
  const box = document.querySelector('.monaco-dialog-box');
  if (!box?.checkVisibility()) return null;
  const textOf = (element) => (element?.checkVisibility() ? element.innerText.trim() : '');
  return {
    message: textOf(box.querySelector('.dialog-message-text')),
    detail: textOf(box.querySelector('.dialog-message-detail')),
    buttons: [...box.querySelectorAll('.dialog-buttons .monaco-button')].map(textOf),
  };
})()`;
