import { TabInputWebview, window, type WebviewPanel } from 'vscode';
import { markup, type Markup } from '../../base/text/markup';
import { ui, type UiText } from '../../base/text/ui';
import type { Contribution } from '../registry/contribution';
import { commands, views } from '../registry/registry';
import { inform } from '../window/ui';
import { approvalFoot } from './approvalFoot';
import { openPlainPage, showPlainPage, type PageContext } from './plainPage';

/** Pages that ask for a decision: their button approves, closing one does not. */
export class Reviews implements Contribution {
  readonly #open = new Map<string, { readonly panel: WebviewPanel; readonly settle: (approved: boolean) => void }>();
  #shown = 0;

  constructor(private readonly context: PageContext) {}

  /** Resolves when the button is pressed or the page closed. `button`: what its button says. */
  async ask(page: { readonly title: UiText; readonly body: Markup; readonly button: UiText }): Promise<boolean> {
    const { title, body, button } = page;
    const command = commands.approveReviewed.id;
    const panel = openPlainPage(this.context, { ...views.approval, title, command });
    const id = String((this.#shown += 1));
    const approved = new Promise<boolean>((settle) => this.#open.set(id, { panel, settle }));
    panel.onDidDispose(() => this.#settle(id, false));
    showPlainPage(this.context, panel, { title, body: markup.lines([body, approvalFoot(button, id)]) });
    return approved;
  }

  /** Called by the page's button, or from the palette for the page in front. */
  approve(argument: unknown): void {
    const [id, page] =
      [...this.#open].find(([one, { panel }]) => (argument === undefined ? panel.active : one === argument)) ?? [];
    if (id === undefined) {
      void inform(ui`That page is closed, so nothing was approved. Run its command again.`);
      return;
    }
    this.#settle(id, true);
    void closePage(page?.panel);
  }

  dispose(): void {
    for (const [id, { panel }] of [...this.#open]) {
      this.#settle(id, false);
      panel.dispose();
    }
  }

  #settle(id: string, approved: boolean): void {
    this.#open.get(id)?.settle(approved);
    this.#open.delete(id);
  }
}

/** Closed as its tab, because VS Code leaves the focus nowhere, and keys are lost, when a page that has it is disposed. */
async function closePage(panel: WebviewPanel | undefined): Promise<void> {
  const tab = panel?.active ? window.tabGroups.activeTabGroup.activeTab : undefined;
  if (tab?.input instanceof TabInputWebview && tab.input.viewType.endsWith(views.approval.viewType))
    await window.tabGroups.close(tab);
  panel?.dispose();
}
