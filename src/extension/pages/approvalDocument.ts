import { markup, type Markup } from '../../base/text/markup';
import type { UiText } from '../../base/text/ui';
import { commands } from '../registry/registry';

export interface ApprovalDocument {
  readonly title: UiText;
  readonly body: Markup;
  /** What its button says. */
  readonly button: string;
}

/** Our style sheets, the second after the first. */
const styles = ['page.css', 'approval.css'] as const;

/** A document that runs no script and loads only our style sheets. `id` comes back as the argument of its command. */
export function approvalDocument(
  { title, body, button }: ApprovalDocument,
  id: string,
  { source, styleOf }: { readonly source: string; readonly styleOf: (file: string) => string },
): string {
  const policy = `default-src 'none'; style-src ${source}; base-uri 'none'; form-action 'none'`;
  const approve = `command:${commands.approveReviewed.id}?${encodeURIComponent(JSON.stringify([id]))}`;
  return markup
    .lines([
      markup`<!DOCTYPE html>`,
      markup`<html lang="en"><head><meta charset="utf-8">`,
      // Every value of this policy is ours or of VS Code.
      markup`<meta http-equiv="Content-Security-Policy" content="${policy}">`,
      markup`<meta name="viewport" content="width=device-width, initial-scale=1">`,
      ...styles.map((file) => markup`<link rel="stylesheet" href="${styleOf(file)}">`),
      markup`<title>${title.toString()}</title></head><body class="approval">`,
      body,
      markup`<footer><a class="approve" role="button" href="${approve}">${button}</a>`,
      markup`<span class="dim">Closing this page approves nothing.</span></footer></body></html>`,
    ])
    .toString();
}
