import { fit, rowsOf } from './terminalText';

/** The part of a terminal's output stream that is needed here. */
export interface Terminal {
  readonly columns: number;
}

/**
 * One line at the bottom of a terminal that is drawn over and over, as text to write: it never takes more than one row,
 * also after the terminal was made narrower. What a terminal then wraps of the drawn line is taken away as well.
 */
export class LiveLine {
  #drawn = '';

  constructor(private readonly terminal: Terminal) {}

  /** Takes the line away, so that something can be written above it. Empty when none is drawn. */
  erase(): string {
    if (this.#drawn === '') return '';
    const rows = rowsOf(this.#drawn, this.#columns());
    this.#drawn = '';
    return `${rows > 1 ? `\u001b[${rows - 1}A` : ''}\r\u001b[J`;
  }

  /** Puts the text, which is safe for a terminal and has no colours, in its place; empty when it stands there already. */
  draw(text: { toString(): string }): string {
    // In the last column some terminals wait for the next character, others wrap at once.
    const line = fit(text.toString(), this.#columns() - 1);
    if (line === this.#drawn) return '';
    const before = this.erase();
    this.#drawn = line;
    return before + line;
  }

  /** A terminal that does not know its width has the usual one. */
  #columns(): number {
    return this.terminal.columns > 1 ? this.terminal.columns : 80;
  }
}
