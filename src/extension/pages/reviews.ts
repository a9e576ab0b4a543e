import { Uri, ViewColumn, window, type ExtensionContext, type WebviewPanel } from 'vscode';
import { ui } from '../../base/text/ui';
import type { Contribution } from '../registry/contribution';
import { commands, views } from '../registry/registry';
import { inform, tabTitle } from '../window/ui';
import { approvalDocument, type ApprovalDocument } from './approvalDocument';

/**
 * Pages that ask for a decision: their button approves, closing one does not. A page runs no script, and its only link
 * is the command of its button. VS Code does not bring a page back after a reload, because what it asked is over.
 */
export class Reviews implements Contribution {
  readonly #open = new Map<string, { readonly panel: WebviewPanel; readonly settle: (approved: boolean) => void }>();
  #shown = 0;

  constructor(private readonly context: Pick<ExtensionContext, 'extensionUri'>) {}

  /** Resolves when the button is pressed or the page closed. */
  async ask(page: ApprovalDocument): Promise<boolean> {
    const media = Uri.joinPath(this.context.extensionUri, 'dist', 'webview');
    const panel = window.createWebviewPanel(views.approval.viewType, tabTitle(page.title), ViewColumn.Active, {
      enableScripts: false,
      enableForms: false,
      enableCommandUris: [commands.approveReviewed.id],
      enableFindWidget: true,
      localResourceRoots: [media],
    });
    const id = String((this.#shown += 1));
    panel.iconPath = Uri.joinPath(this.context.extensionUri, 'media', 'icon.svg');
    const approved = new Promise<boolean>((settle) => this.#open.set(id, { panel, settle }));
    panel.onDidDispose(() => this.#settle(id, false));
    const { webview } = panel;
    const styleOf = (file: string): string => webview.asWebviewUri(Uri.joinPath(media, file)).toString();
    webview.html = approvalDocument(page, id, { source: webview.cspSource, styleOf });
    return approved;
  }

  /** Called by the page's button, or from the palette for the page in front. */
  approve(argument: unknown): void {
    const [id, page] = [...this.#open].find(([one, { panel }]) => (argument ? one === argument : panel.active)) ?? [];
    if (id === undefined) {
      void inform(ui`That page is closed, so nothing was approved. Run its command again.`);
      return;
    }
    this.#settle(id, true);
    page?.panel.dispose();
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
