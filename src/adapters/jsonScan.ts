/** What can be told about a JSON text without building anything from it. */
export interface JsonScan {
  /** Offset of the bracket that goes beyond the depth limit, or null. */
  readonly tooDeepAt: number | null;
  /** Colons outside strings: the members of all objects, duplicates counted. Exact when the text is JSON. */
  readonly members: number;
  /** At least the number of values in the text. */
  readonly values: number;
}

/**
 * One pass over the characters, strings skipped: fast enough to stand before every parse. In text that is no JSON the
 * numbers mean nothing, but the pass ends.
 */
export function scanJson(text: string, maxDepth: number): JsonScan {
  let depth = 0;
  let members = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // Nearly everything outside strings is indentation.
    if (code <= 0x20) continue;
    switch (code) {
      case 0x22:
        at = endOfString(text, at);
        break;
      case 0x5b:
      case 0x7b:
        depth++;
        values++;
        if (depth > maxDepth) return { tooDeepAt: at, members, values };
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
      case 0x2c:
        values++;
        break;
      case 0x3a:
        members++;
        break;
      default:
    }
  }
  return { tooDeepAt: null, members, values };
}

/** Offset of the closing quote; the end of the text when there is none. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return quote;
  }
  return text.length;
}
