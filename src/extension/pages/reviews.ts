import { TabInputWebview, window, type WebviewPanel } from 'vscode';
import { markup, type Markup } from '../../base/text/markup';
import { ui, type UiText } from '../../base/text/ui';
import type { Ids } from '../../engine/ports/time';
import type { Contribution } from '../registry/contribution';
import { commands, views } from '../registry/registry';
import { inform } from '../window/ui';
import { approvalFoot } from './approvalFoot';
import { openPlainPage, showPlainPage, type PageContext } from './plainPage';

interface OpenReview {
  readonly about: string;
  readonly panel: WebviewPanel;
  readonly settle: (approved: boolean) => void;
}

/** Pages that ask for a decision: their button approves, closing one does not. */
export class Reviews implements Contribution {
  readonly #open = new Map<string, OpenReview>();
  /** The pages whose button was pressed: another press of it asks nothing. */
  readonly #pressed = new Set<string>();

  constructor(
    private readonly context: PageContext,
    private readonly ids: Pick<Ids, 'uuid'>,
  ) {}

  /**
   * Resolves when the button is pressed or the page closed. It closes an earlier page about the same plan.
   *
   * @param page `about`: the plan; `button`: what its button says
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
    // No other page has it, also none that outlived its extension host, where another plan may stand.
    const id = this.ids.uuid();
    const approved = new Promise<boolean>((settle) => this.#open.set(id, { about, panel, settle }));
    panel.onDidDispose(() => this.#settle(id, false));
    // After the new page has the focus.
    for (const open of earlier) open.panel.dispose();
    showPlainPage(this.context, panel, { title, body: markup.lines([body, approvalFoot(button, id)]) });
    return approved;
  }

  /** Called by the page's button, or from the palette for the page in front. */
  approve(argument: unknown): void {
    if (typeof argument === 'string' && this.#pressed.has(argument)) return;
    const [id, page] =
      [...this.#open].find(([one, { panel }]) => (argument === undefined ? panel.active : one === argument)) ?? [];
    if (id === undefined) {
      void inform(ui`That page no longer asks, so nothing was approved. Run its command again.`);
      return;
    }
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

/** Closed as its tab, because VS Code leaves the focus nowhere, and keys are lost, when a page that has it is disposed. */
async function closePage(panel: WebviewPanel | undefined): Promise<void> {
  const tab = panel?.active ? window.tabGroups.activeTabGroup.activeTab : undefined;
  if (tab?.input instanceof TabInputWebview && tab.input.viewType.endsWith(views.approval.viewType))
    // The tab may have gone meanwhile, by a person's hand.
    await Promise.resolve(window.tabGroups.close(tab)).catch(() => false);
  panel?.dispose();
}
