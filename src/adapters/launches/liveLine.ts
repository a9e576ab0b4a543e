import { fit } from '../system/terminalText';

/** The part of a terminal's output stream that is used here. */
export interface Terminal {
  readonly columns: number;
}

/**
 * One line at the bottom of a terminal that is drawn again and again, as text to write. It takes one row, and never
 * touches the rows above: a terminal that became narrower may have wrapped the line (VTE, tmux) or cut it (VS Code),
 * and a wrong guess would delete a worker's output. At worst a cut line stays above the new one.
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

  /** Draws the text, which must be safe for a terminal and without colours; empty when it is drawn already. */
  draw(text: { toString(): string }): string {
    // In the last column some terminals wait for the next character, others wrap at once.
    const line = fit(text.toString(), (this.terminal.columns > 1 ? this.terminal.columns : 80) - 1);
    if (line === this.#drawn) return '';
    const before = this.erase();
    this.#drawn = line;
    // Terminals disagree on character widths: with wrapping off, the line takes one row in all of them.
    return line === '' ? before : `${before}\u001b[?7l${line}\u001b[?7h`;
  }
}
