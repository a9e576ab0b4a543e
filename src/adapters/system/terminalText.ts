import type stringWidth from 'string-width';

/** Cuts a text to a number of terminal columns, between graphemes: wide ones take two columns, marks take none. */
export function fit(text: string, columns: number): string {
  if (text.length <= columns && ascii.test(text)) return text;
  let used = 0;
  let kept = '';
  let keptOfOneLess = '';
  for (const { segment } of charactersOf(text)) {
    used += columnsOf(segment);
    if (used > columns) return columns > 0 ? `${keptOfOneLess}…` : '';
    kept += segment;
    if (used <= columns - 1) keptOfOneLess = kept;
  }
  return kept;
}

const ascii = /^[\x20-\x7e]*$/;

// Loaded for the first wide text, because both load tables of Unicode, a tenth of a program's start time.
let widths: typeof stringWidth | undefined;
function columnsOf(text: string): number {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would be evaluated at the start
  widths ??= (require('string-width') as { readonly default: typeof stringWidth }).default;
  return widths(text);
}
let segmenter: Intl.Segmenter | undefined;
function charactersOf(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text);
}
