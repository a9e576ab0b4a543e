import type { WriteStream } from 'node:tty';
import { setTimeout as sleep } from 'node:timers/promises';
import { LiveLine } from '../adapters/launches/liveLine';
import { fit, terminal, type TerminalText } from '../base/text/marked/terminal';

/** Milliseconds: at most ten writes a second, each of the last 200 lines. */
const pauseMs = 100;
const linesPerWrite = 200;
/** Milliseconds between status lines on a pipe, where they cannot be redrawn. */
const statusOnPipeMs = 60_000;

export type Screen = ReturnType<typeof createScreen>;

/** A problem of this program itself, for the log beside the run. */
export function complain(text: TerminalText): void {
  process.stderr.write(`${text.toString()}\n`);
}

/** Lines that stay, and below them, on a terminal, one status line that is redrawn. */
export function createScreen(output: WriteStream) {
  const onTerminal = output.isTTY;
  let lines: { readonly text: TerminalText; readonly cut: boolean }[] = [];
  let left = 0;
  let status = terminal``;
  const live = new LiveLine(output);
  let lastWrite = -Infinity;
  let lastStatus = performance.now();
  let gone = false;
  output.on('error', () => (gone = true));
  // Redraws the status line at once after a change of width.
  const redraw = (): void => {
    if (!gone) output.write(live.erase() + live.draw(status));
  };
  if (onTerminal) output.on('resize', redraw);

  const columns = (): number => (onTerminal && output.columns > 0 ? output.columns : 400);
  const compose = (): string => {
    const shown = [...(left > 0 ? [{ text: terminal`  … ${left} lines not shown`, cut: false }] : []), ...lines]
      .map(({ text, cut }) => `${(cut ? fit(text, columns()) : text).toString()}\n`)
      .join('');
    if (!onTerminal) {
      const due = !status.isEmpty && performance.now() - lastStatus >= statusOnPipeMs;
      if (due) lastStatus = performance.now();
      return shown + (due ? `${status.toString()}\n` : '');
    }
    return shown === '' ? live.draw(status) : live.erase() + shown + live.draw(status);
  };
  const flush = async (): Promise<void> => {
    await sleep(Math.max(0, lastWrite + pauseMs - performance.now()));
    const text = compose();
    lines = [];
    left = 0;
    if (text === '' || gone) return;
    lastWrite = performance.now();
    // Waits for the reader, so that unread output does not pile up in memory.
    await new Promise<void>((resolve) => {
      output.write(text, (error) => {
        if (error !== undefined && error !== null) gone = true;
        resolve();
      });
    });
  };

  return {
    /** `cut`: the line is cut to the width of a terminal. */
    line(text: TerminalText, fitting?: 'cut'): void {
      lines.push({ text, cut: fitting === 'cut' });
      if (lines.length > linesPerWrite) {
        lines.shift();
        left += 1;
      }
    },
    /** An empty text removes the status line. */
    status(text: TerminalText): void {
      status = text;
    },
    flush,
    async end(): Promise<void> {
      status = terminal``;
      await flush();
      output.off('resize', redraw);
    },
    /** The reader is gone (closed terminal, closed pipe). */
    closed: () => gone,
  };
}
