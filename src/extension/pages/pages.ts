import { Uri, languages, window, workspace, type TextDocumentContentProvider } from 'vscode';
import type { MarkdownText } from '../../base/text/marked/markdown';
import type { UiText } from '../../base/text/marked/ui';
import { type Contribution, pageLanguage, pageScheme } from '../registry/registry';

/** Read-only pages that commands show in an editor; VS Code never asks to save them. */
export class Pages implements Contribution, TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  readonly #registration = workspace.registerTextDocumentContentProvider(pageScheme, this);

  /** @param name file name of the tab; its ending selects the language. An earlier page of that name stays. */
  async show(name: string, text: MarkdownText | UiText): Promise<Uri> {
    return this.#open(name, text, true);
  }

  /** Shows a page with wrapped lines that stays open until a person closes it. */
  async stay(name: string, text: UiText): Promise<Uri> {
    return this.#open(name, text, false);
  }

  hold(name: string, text: string): Uri {
    const page = Uri.from({ scheme: pageScheme, path: `/${this.#texts.size + 1}/${name}` });
    this.#texts.set(page.path, text);
    return page;
  }

  provideTextDocumentContent(page: Uri): string {
    return this.#texts.get(page.path) ?? 'This page was shown before the window was reloaded. Run its command again.\n';
  }

  dispose(): void {
    this.#registration.dispose();
  }

  async #open(name: string, text: MarkdownText | UiText, preview: boolean): Promise<Uri> {
    const page = this.hold(name, text.toString());
    const opened = await workspace.openTextDocument(page);
    const document = preview ? opened : await languages.setTextDocumentLanguage(opened, pageLanguage);
    await window.showTextDocument(document, { preview });
    return page;
  }
}
