/** Splits a stream of chunks of any size into lines, with bounded memory. */
export interface LineSplitter {
  push(chunk: string): void;
  /** The stream has ended: emits a last line without a line end. */
  end(): void;
  /** Lines that were longer than the limit and were dropped. */
  oversized(): number;
}

/** 10 Mi UTF-16 code units: longer than the longest tool results of the CLIs. */
export const maxLineLength = 10 * 1024 * 1024;

/**
 * `onLine` gets every non-empty line without its line end (LF or CRLF). A line longer than `limit` is counted and
 * dropped while it arrives.
 */
export function createLineSplitter(onLine: (line: string) => void, limit = maxLineLength): LineSplitter {
  let parts: string[] = [];
  let size = 0;
  let skipping = false;
  let dropped = 0;

  const drop = (): void => {
    dropped += 1;
    parts = [];
    size = 0;
  };
  const emit = (line: string): void => {
    const end = line.charCodeAt(line.length - 1) === 13 ? line.length - 1 : line.length;
    if (end > 0) onLine(end === line.length ? line : line.slice(0, end));
  };
  const finishLine = (tail: string): void => {
    if (skipping) {
      skipping = false;
      return;
    }
    if (size + tail.length > limit) {
      drop();
      return;
    }
    if (parts.length === 0) {
      emit(tail);
      return;
    }
    parts.push(tail);
    const line = parts.join('');
    parts = [];
    size = 0;
    emit(line);
  };

  return {
    push(chunk) {
      let from = 0;
      for (let at = chunk.indexOf('\n'); at !== -1; at = chunk.indexOf('\n', from)) {
        finishLine(chunk.slice(from, at));
        from = at + 1;
      }
      if (from === chunk.length || skipping) return;
      const rest = chunk.slice(from);
      if (size + rest.length > limit) {
        drop();
        skipping = true;
        return;
      }
      parts.push(rest);
      size += rest.length;
    },
    end() {
      finishLine('');
    },
    oversized: () => dropped,
  };
}
