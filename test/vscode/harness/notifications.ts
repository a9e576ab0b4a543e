import type { Page } from './playwright';
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
    const found = await this.read('.notifications-center');
    await this.closeCenter();
    return found;
  }

  /** Waits for a toast with this text while it is on screen; nothing is opened or clicked. */
  async waitForToast(text: string | RegExp, timeout = DEFAULT_TIMEOUT): Promise<NotificationState> {
    return waitFor(
      async () => {
        const found = await this.read('.notifications-toasts');
        return found.find((toast) => isMatch(toast.text, text));
      },
      { what: `a toast saying ${String(text)}`, timeout },
    );
  }

  /** Waits for a notification with this text, gone from the screen or not, and returns it. */
  async waitFor(text: string | RegExp, timeout = DEFAULT_TIMEOUT): Promise<NotificationState> {
    let seen: readonly NotificationState[] = [];
    let signs = '';
    let listed = 0;
    return waitFor(
      async () => {
        const now = String(await this.page.evaluate(SIGNS));
        if (now === signs && Date.now() - listed < relist) return undefined;
        seen = await this.list();
        // What opening the list takes off the screen is no news.
        signs = String(await this.page.evaluate(SIGNS));
        listed = Date.now();
        return seen.find((found) => isMatch(found.text, text));
      },
      { what: `a notification saying ${String(text)}`, timeout },
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}; there were: ${seen.map((one) => one.text).join(' | ')}`);
    });
  }

  /** Waits until no notification has this text, on the screen or behind the bell. */
  async waitForGone(text: string | RegExp, timeout = DEFAULT_TIMEOUT): Promise<void> {
    await waitFor(async () => !(await this.list()).some((found) => isMatch(found.text, text)), {
      what: `no notification to say ${String(text)}`,
      timeout,
    });
  }

  /** Waits for a notification with this text and clicks one of its buttons. */
  async click(text: string | RegExp, button: string): Promise<void> {
    await this.waitFor(text);
    await this.openCenter();
    const index = (await this.read('.notifications-center')).findIndex((found) => isMatch(found.text, text));
    if (index >= 0) {
      const item = this.page.locator('.notifications-center .notification-list-item').nth(index);
      await item.getByRole('button', { name: button, exact: true }).click();
      await this.closeCenter();
      return;
    }
    throw new Error(`the notification ${String(text)} went away before "${button}" was clicked`);
  }

  private async read(place: string): Promise<NotificationState[]> {
    const drawn = JSON.parse(String(await this.page.evaluate(itemsIn(place)))) as DrawnNotification[];
    return drawn.map(({ icon, ...others }) => ({
      severity: icon.includes('codicon-error') ? 'error' : icon.includes('codicon-warning') ? 'warning' : 'info',
      ...others,
    }));
  }

  private async openCenter(): Promise<void> {
    const center = this.page.locator('.notifications-center');
    if (await center.isVisible()) return;
    await this.page.locator('.statusbar-item[id="status.notifications"] a').click();
    await center.waitFor({ timeout: 10_000 });
  }

  /** A dialog that came meanwhile covers the bell: it may stay open then. */
  private async closeCenter(): Promise<void> {
    const center = this.page.locator('.notifications-center');
    const dialog = this.page.locator('.monaco-dialog-box');
    await waitFor(
      async () => {
        if (!(await center.isVisible()) || (await dialog.isVisible())) return true;
        const bell = this.page.locator('.statusbar-item[id="status.notifications"] a');
        const clicked = await bell.click({ timeout: 3_000 }).then(
          () => true,
          () => false,
        );
        // Another click would open it again.
        if (clicked) await center.waitFor({ state: 'hidden', timeout: 10_000 });
        return clicked;
      },
      { what: 'the list of notifications to be closed' },
    );
  }
}

/** Without a sign of news the list opens again after so many milliseconds: each time VS Code draws it anew. */
const relist = 2000;

/** What the screen shows of news without opening anything: the toasts, and how many the bell counts. */
const SIGNS = `JSON.stringify([
  document.querySelector('.statusbar-item[id="status.notifications"]')?.getAttribute('aria-label'),
  ...[...document.querySelectorAll('.notifications-toasts .notification-list-item')].map((item) => item.innerText),
])`;

/** Read in one step: VS Code draws the items anew, and puts a new one above the others, whenever it likes. */
const itemsIn = (place: string): string => `JSON.stringify(
  [...document.querySelectorAll('${place} .notification-list-item')].map((item) => {
    const text = (name) => item.querySelector('.notification-list-item-' + name)?.innerText ?? '';
    const buttons = item.querySelectorAll('.notification-list-item-buttons-container .monaco-button');
    return {
      icon: item.querySelector('.notification-list-item-icon')?.className ?? '',
      text: text('message').trim(),
      source: text('source').replace(/^Source: /, '').trim(),
      buttons: [...buttons].map((button) => button.innerText),
    };
  }),
)`;

interface DrawnNotification extends Omit<NotificationState, 'severity'> {
  icon: string;
}
