import { TabInputText, Uri, window, type Tab } from 'vscode';
import { ui, type UiText } from '../../base/text/ui';
import type { Contribution } from '../registry/contribution';
import type { Pages } from './pages';
import { inform } from '../window/ui';

/** Pages that ask for a decision: the button in their title approves, closing the page does not. */
export class Reviews implements Contribution {
  readonly #open = new Map<string, (approved: boolean) => void>();
  readonly #subscription = window.tabGroups.onDidChangeTabs(({ closed }) => {
    for (const tab of closed) this.#settle(pageOf(tab), false);
  });

  constructor(private readonly pages: Pick<Pages, 'stay'>) {}

  /** Resolves when the button is pressed or the page closed. The page's name selects its button. */
  async ask(name: string, text: UiText): Promise<boolean> {
    const page = await this.pages.stay(name, text);
    return new Promise((resolve) => this.#open.set(page.path, resolve));
  }

  /** Called by the button in the page's title, or from the palette. */
  async approve(argument: unknown): Promise<void> {
    const path = argument instanceof Uri ? argument.path : window.activeTextEditor?.document.uri.path;
    if (path === undefined || !this.#open.has(path)) {
      void inform(ui`This page was shown before the window was reloaded. Run its command again.`);
      return;
    }
    const tabs = window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => pageOf(tab) === path);
    this.#settle(path, true);
    await window.tabGroups.close(tabs);
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const path of [...this.#open.keys()]) this.#settle(path, false);
  }

  #settle(path: string | null, approved: boolean): void {
    if (path === null) return;
    this.#open.get(path)?.(approved);
    this.#open.delete(path);
  }
}

function pageOf({ input }: Tab): string | null {
  return input instanceof TabInputText ? input.uri.path : null;
}
