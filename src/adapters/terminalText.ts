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

/** Rows that a text takes on a terminal so many columns wide: a wide character that does not fit begins the next one. */
export function rowsOf(text: string, columns: number): number {
  let rows = 1;
  let used = 0;
  for (const { segment } of characters.segment(text)) {
    const width = stringWidth(segment);
    if (used + width > columns) {
      rows += 1;
      used = 0;
    }
    used += width;
  }
  return rows;
}

const ascii = /^[\x20-\x7e]*$/;
const characters = new Intl.Segmenter();
