import type { Page } from './playwright';
import { DEFAULT_TIMEOUT, isMatch, waitFor } from './waitFor';

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
    const box = this.page.locator('.monaco-dialog-box');
    await box.waitFor({ timeout: DEFAULT_TIMEOUT });
    const detail = box.locator('.dialog-message-detail');
    return {
      message: (await box.locator('.dialog-message-text').innerText()).trim(),
      detail: (await detail.isVisible()) ? (await detail.innerText()).trim() : '',
      buttons: (await box.locator('.dialog-buttons .monaco-button').allInnerTexts()).map((text) => text.trim()),
    };
  }

  /** Waits for a modal dialog, clicks this button, waits until the dialog is gone; returns what it said. */
  async answer(button: string | RegExp): Promise<DialogState> {
    const state = await this.read();
    const index = state.buttons.findIndex((text) => isMatch(text, button));
    if (index < 0)
      throw new Error(`the dialog "${state.message}" has no button ${String(button)}: ${state.buttons.join(', ')}`);
    await this.page.locator('.monaco-dialog-box .dialog-buttons .monaco-button').nth(index).click();
    await waitFor(async () => !(await this.isOpen()) || (await this.read()).message !== state.message, {
      what: `the dialog "${state.message}" to close`,
    });
    return state;
  }
}
