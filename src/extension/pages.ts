import { Uri, window, workspace, type TextDocumentContentProvider } from 'vscode';
import type { MarkdownText } from '../core/text/markdown';
import type { UiText } from '../core/text/ui';
import type { Contribution } from './contribution';

const scheme = 'mission-control-page';

/** Read-only pages that commands show in an editor: what nobody can change, nobody is asked to save. */
export class Pages implements Contribution, TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  readonly #registration = workspace.registerTextDocumentContentProvider(scheme, this);

  /** @param name file name of the tab; its ending says the language. Each page is its own: an older one stays as it was. */
  async show(name: string, text: MarkdownText | UiText): Promise<void> {
    const page = Uri.from({ scheme, path: `/${this.#texts.size + 1}/${name}` });
    this.#texts.set(page.path, text.toString());
    await window.showTextDocument(await workspace.openTextDocument(page), { preview: true });
  }

  provideTextDocumentContent(page: Uri): string {
    return this.#texts.get(page.path) ?? 'This page was shown before the window was reloaded. Run its command again.\n';
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
