import { markup, type Markup } from '../../base/text/marked/markup';
import type { UiText } from '../../base/text/marked/ui';
import { commands } from '../registry/registry';

/** A page without scripts: its text, and links that run commands of ours. */
export interface PageDocument {
  readonly title: UiText;
  readonly body: Markup;
}

/** Makes a document that loads only our style sheets. `styleOf`: the address of a file of `dist/webview`. */
export function pageDocument(
  { title, body }: PageDocument,
  { source, styleOf }: { readonly source: string; readonly styleOf: (file: string) => string },
): string {
  const policy = `default-src 'none'; style-src ${source}; base-uri 'none'; form-action 'none'`;
  const styles = ['page.css', 'reading.css'];
  return markup
    .lines([
      markup`<!DOCTYPE html>`,
      markup`<html lang="en"><head><meta charset="utf-8">`,
      // Every value of this policy comes from us or from VS Code.
      markup`<meta http-equiv="Content-Security-Policy" content="${policy}">`,
      markup`<meta name="viewport" content="width=device-width, initial-scale=1">`,
      ...styles.map((file) => markup`<link rel="stylesheet" href="${styleOf(file)}">`),
      markup`<title>${title.toString()}</title></head><body class="reading">`,
      body,
      markup`</body></html>`,
    ])
    .toString();
}

/**
 * A link that looks like a button. It is announced as a link, because without a script the Space bar presses nothing.
 * Its title is its label, because VS Code would show and read out the address of its command. `argument` is all that
 * its command gets. `first`: the choice of most people.
 */
export function commandButton(
  label: UiText,
  {
    command,
    argument,
    look,
  }: { readonly command: string; readonly argument: string; readonly look: 'first' | 'other' },
): Markup {
  const target = `command:${command}?${encodeURIComponent(JSON.stringify([argument]))}`;
  const text = label.toString();
  return markup`<a class="button ${look}" title="${text}" href="${target}">${text}</a>`;
}

/**
 * The foot of a page that asks for a decision; it is always visible. `id` comes back as the argument of the command.
 */
export function approvalFoot(button: UiText, id: string): Markup {
  const approve = { command: commands.approveReviewed.id, argument: id, look: 'first' } as const;
  return markup.lines([
    markup`<footer>${commandButton(button, approve)}`,
    markup`<span class="dim">Closing this page approves nothing.</span></footer>`,
  ]);
}
