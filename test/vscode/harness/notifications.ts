import type { Locator, Page } from './playwright';
import { DEFAULT_TIMEOUT, isMatch, waitFor } from './waitFor';

export interface NotificationState {
  severity: 'info' | 'warning' | 'error';
  text: string;
  source: string;
  buttons: string[];
}

/** Toasts come and go; the bell's list keeps every notification until it is dismissed. */
export class Notifications {
  constructor(private readonly page: Page) {}

  /** Opens the list behind the bell, reads every notification in it, closes it again. */
  async list(): Promise<NotificationState[]> {
    await this.openCenter();
    const items = await this.page.locator('.notifications-center .notification-list-item').all();
    const found = await Promise.all(items.map(async (item) => readNotification(item)));
    await this.closeCenter();
    return found;
  }

  /** Waits for a toast with this text while it is on screen; nothing is opened or clicked. */
  async waitForToast(text: string | RegExp, timeout = DEFAULT_TIMEOUT): Promise<NotificationState> {
    return waitFor(
      async () => {
        const items = await this.page.locator('.notifications-toasts .notification-list-item').all();
        const found = await Promise.all(items.map(async (item) => readNotification(item)));
        return found.find((toast) => isMatch(toast.text, text));
      },
      { what: `a toast saying ${String(text)}`, timeout },
    );
  }

  /** Waits for a notification with this text, gone from the screen or not, and returns it. */
  async waitFor(text: string | RegExp, timeout = DEFAULT_TIMEOUT): Promise<NotificationState> {
    return waitFor(async () => (await this.list()).find((found) => isMatch(found.text, text)), {
      what: `a notification saying ${String(text)}`,
      timeout,
    });
  }

  /** Waits for a notification with this text and clicks one of its buttons. */
  async click(text: string | RegExp, button: string): Promise<void> {
    await this.waitFor(text);
    await this.openCenter();
    for (const item of await this.page.locator('.notifications-center .notification-list-item').all()) {
      if (!isMatch((await readNotification(item)).text, text)) continue;
      await item.getByRole('button', { name: button, exact: true }).click();
      await this.closeCenter();
      return;
    }
    throw new Error(`the notification ${String(text)} went away before "${button}" was clicked`);
  }

  private async openCenter(): Promise<void> {
    const center = this.page.locator('.notifications-center');
    if (await center.isVisible()) return;
    await this.page.locator('.statusbar-item[id="status.notifications"] a').click();
    await center.waitFor({ timeout: DEFAULT_TIMEOUT });
  }

  private async closeCenter(): Promise<void> {
    const center = this.page.locator('.notifications-center');
    if (await center.isVisible()) await this.page.locator('.statusbar-item[id="status.notifications"] a').click();
    await center.waitFor({ state: 'hidden', timeout: DEFAULT_TIMEOUT });
  }
}

async function readNotification(item: Locator): Promise<NotificationState> {
  const icon = (await item.locator('.notification-list-item-icon').getAttribute('class')) ?? '';
  // Asked for in one step: VS Code draws the item anew when it learns its source.
  const [source = ''] = await item.locator('.notification-list-item-source').allTextContents();
  return {
    severity: icon.includes('codicon-error') ? 'error' : icon.includes('codicon-warning') ? 'warning' : 'info',
    text: (await item.locator('.notification-list-item-message').innerText()).trim(),
    source: source.replace(/^Source: /, '').trim(),
    buttons: await item.locator('.notification-list-item-buttons-container .monaco-button').allInnerTexts(),
  };
}
