import { TabInputWebview, window, type WebviewPanel } from 'vscode';
import { markup, type Markup } from '../../base/text/marked/markup';
import { ui, type UiText } from '../../base/text/marked/ui';
import type { Ids } from '../../engine/ports/time';
import { type Contribution, commands, views } from '../registry/registry';
import { inform } from '../window/ui';
import { approvalFoot } from './document';
import { openPlainPage, showPlainPage, type PageContext } from './plainPage';

interface OpenReview {
  readonly about: string;
  readonly panel: WebviewPanel;
  readonly settle: (approved: boolean) => void;
}

/** Pages that ask for a decision: the button approves, closing the page does not. */
export class Reviews implements Contribution {
  readonly #open = new Map<string, OpenReview>();
  /** Pages whose button was pressed; pressing it again does nothing. */
  readonly #pressed = new Set<string>();

  constructor(
    private readonly context: PageContext,
    private readonly ids: Pick<Ids, 'uuid'>,
  ) {}

  /**
   * Resolves when the person presses the button or closes the page. Closes an earlier page about the same plan.
   *
   * @param page `about`: the plan; `button`: the words of the button
   */
  async ask(page: {
    readonly about: string;
    readonly title: UiText;
    readonly body: Markup;
    readonly button: UiText;
  }): Promise<boolean> {
    const { about, title, body, button } = page;
    const command = commands.approveReviewed.id;
    const earlier = [...this.#open.values()].filter((open) => open.about === about);
    const panel = openPlainPage(this.context, { ...views.approval, title, command });
    // A fresh id, because a page that outlived its extension host may show another plan.
    const id = this.ids.uuid();
    const approved = new Promise<boolean>((settle) => this.#open.set(id, { about, panel, settle }));
    panel.onDidDispose(() => this.#settle(id, false));
    // Closed only after the new page has the focus.
    for (const open of earlier) open.panel.dispose();
    showPlainPage(this.context, panel, { title, body: markup.lines([body, approvalFoot(button, id)]) });
    return approved;
  }

  /** Called by the page's button, or from the palette for the page in front. */
  approve(argument: unknown): void {
    if (typeof argument === 'string' && this.#pressed.has(argument)) return;
    const [id, page] =
      [...this.#open].find(([one, { panel }]) => (argument === undefined ? panel.active : one === argument)) ?? [];
    if (id === undefined)
      return void inform(ui`That page no longer asks, so nothing was approved. Run its command again.`);
    this.#pressed.add(id);
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

/** Closes the tab instead of the page, because disposing a focused page leaves the focus nowhere, and keys get lost. */
async function closePage(panel: WebviewPanel | undefined): Promise<void> {
  const tab = panel?.active ? window.tabGroups.activeTabGroup.activeTab : undefined;
  if (tab?.input instanceof TabInputWebview && tab.input.viewType.endsWith(views.approval.viewType))
    // A person may have closed the tab meanwhile.
    await Promise.resolve(window.tabGroups.close(tab)).catch(() => false);
  panel?.dispose();
}
