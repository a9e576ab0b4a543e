import stringWidth from 'string-width';

/** Cut to a number of terminal columns, between characters as people see them: wide ones take two, marks none. */
export function fit(text: string, columns: number): string {
  if (text.length <= columns && ascii.test(text)) return text;
  let used = 0;
  let kept = '';
  let keptOfOneLess = '';
  for (const { segment } of characters.segment(text)) {
    used += stringWidth(segment);
    if (used > columns) return columns > 0 ? `${keptOfOneLess}…` : '';
    kept += segment;
    if (used <= columns - 1) keptOfOneLess = kept;
  }
  return kept;
}

/** Columns that a text takes which has no escape sequences. */
export function widthOf(text: string): number {
  return ascii.test(text) ? text.length : stringWidth(text);
}

const ascii = /^[\x20-\x7e]*$/;
const characters = new Intl.Segmenter();
