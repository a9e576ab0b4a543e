import { SafeText, safeTemplate } from './safeText';
import type { UiText } from './ui';

/** Markup for a document without scripts. Our own source makes its elements and attributes, values become their text. */
export type Markup = SafeText<'html'>;

/** markup`<p>Plan ${plan_id}</p>`; an attribute's value stands in double quotes. */
export const markup = safeTemplate<'html'>(escaped);

/** What was made for a dialog, as text of an element. */
export function markupOf(text: UiText): Markup {
  return new SafeText(escaped(text.toString()));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
