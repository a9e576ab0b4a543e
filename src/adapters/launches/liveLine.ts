import type stringWidth from 'string-width';

interface Terminal {
  readonly columns: number;
}

/**
 * One line at the bottom of a terminal that is drawn again and again, as text to write. It takes one row and never
 * touches the rows above. A terminal that became narrower may have wrapped the line (VTE, tmux) or cut it (VS Code). A
 * wrong guess would delete a worker's output. At worst a cut line stays above the new one.
 */
export class LiveLine {
  #drawn = '';

  constructor(private readonly terminal: Terminal) {}

  /** Erases the line, so that text can be written above it. Empty when no line is drawn. */
  erase(): string {
    if (this.#drawn === '') return '';
    this.#drawn = '';
    return '\r\u001b[J';
  }

  /** Returns the text that draws the line; empty: it is drawn already. The text must be safe and without colours. */
  draw(text: { toString(): string }): string {
    // Leaves the last column free, because some terminals wait there for the next character and others wrap at once.
    const line = fit(text.toString(), (this.terminal.columns > 1 ? this.terminal.columns : 80) - 1);
    if (line === this.#drawn) return '';
    const before = this.erase();
    this.#drawn = line;
    // Turns wrapping off, because terminals disagree on character widths and the line must take one row in all.
    return line === '' ? before : `${before}\u001b[?7l${line}\u001b[?7h`;
  }
}

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
