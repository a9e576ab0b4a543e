import { fit } from '../system/terminalText';

/** The part of a terminal's output stream that is needed here. */
export interface Terminal {
  readonly columns: number;
}

/**
 * One line at the bottom of a terminal that is drawn over and over, as text to write. It takes one row, and nothing
 * above that row is ever touched: a terminal that was made narrower may have wrapped the line (VTE, tmux) or cut it
 * (VS Code), and whoever guesses wrong deletes what a worker said. At worst the cut line stays above the new one.
 */
export class LiveLine {
  #drawn = '';

  constructor(private readonly terminal: Terminal) {}

  /** Takes the line away, so that something can be written above it. Empty when none is drawn. */
  erase(): string {
    if (this.#drawn === '') return '';
    this.#drawn = '';
    return '\r\u001b[J';
  }

  /** Puts the text, which is safe for a terminal and has no colours, in its place; empty when it stands there already. */
  draw(text: { toString(): string }): string {
    // In the last column some terminals wait for the next character, others wrap at once.
    const line = fit(text.toString(), (this.terminal.columns > 1 ? this.terminal.columns : 80) - 1);
    if (line === this.#drawn) return '';
    const before = this.erase();
    this.#drawn = line;
    // Terminals do not agree on the width of every character: without wrapping it is one row for all of them.
    return line === '' ? before : `${before}\u001b[?7l${line}\u001b[?7h`;
  }
}
