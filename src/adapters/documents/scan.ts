/** Counts from one pass over a JSON text, which builds no value. */
export interface JsonScan {
  /** Offset in bytes of the bracket that exceeds the depth limit, or null. */
  readonly tooDeepAt: number | null;
  /** Colons outside strings: the members of all objects, duplicates counted. Exact when the text is JSON. */
  readonly members: number;
  /** At least the number of values in the text. */
  readonly values: number;
}

const quote = 0x22;
const backslash = 0x5c;

/**
 * Scans UTF-8 and skips strings, fast enough to run before every parse. Works on bytes, because reading characters is
 * slower and no byte of a longer character equals one of JSON's own. On text that is not JSON it ends too, with
 * meaningless numbers.
 */
export function scanJson(bytes: Uint8Array, maxDepth: number): JsonScan {
  let depth = 0;
  let members = 0;
  let values = 1;
  const { length } = bytes;
  for (let at = 0; at < length; at++) {
    const code = bytes[at] as number;
    // Most bytes outside strings are indentation.
    if (code <= 0x20) continue;
    switch (code) {
      case quote:
        for (at++; at < length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++;
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
