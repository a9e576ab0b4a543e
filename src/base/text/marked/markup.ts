import { SafeText, safeTemplate } from './safeText';
import type { UiText } from './ui';

/** Markup for a document without scripts. Our own source makes its elements and attributes, values become their text. */
export type Markup = SafeText<'html'>;

/** markup`<p>Plan ${plan_id}</p>`; an attribute's value stands in double quotes. */
export const markup = safeTemplate<'html'>(escaped);

export function markupOf(text: UiText): Markup {
  return new SafeText(escaped(text.toString()));
}

/** A sentence of ours, in which a command stands in backticks. */
export function sentence(text: string): Markup {
  const parts = text.split('`');
  // A backtick without its second one is a character like any other.
  if (parts.length % 2 === 0) return markup`${text}`;
  return markup.join(
    parts.map((part, index) => (index % 2 === 0 ? part : markup`<code>${part}</code>`)),
    '',
  );
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
