import { constants, inflateSync } from 'node:zlib';

/** The amount that git would unpack and copy for a patch. */
export interface PatchSize {
  /** Bytes of the unpacked binary parts; a few kilobytes may unpack to any number. */
  readonly binary: number;
  /** Number of copies and renames; each may be of the largest file that the patch names. */
  readonly moved: number;
}

/**
 * Computes the size before git gets the patch, because git allocates and writes what the patch says. A sentence: the
 * size cannot be read. Counts too much if text between two files, which git skips, looks like a binary part.
 */
export function patchSize(patch: Uint8Array): PatchSize | string {
  const text = Buffer.from(patch.buffer, patch.byteOffset, patch.byteLength).toString('latin1');
  let binary = 0;
  for (const part of text.matchAll(/(?:^|\n)(literal|delta) ([^\n]*)\n/g)) {
    const [head, kind, size = ''] = part;
    // Git parses the number like C, with signs and spaces, but writes only digits.
    if (!/^\d{1,15}$/.test(size)) return `the size ${JSON.stringify(size.slice(0, 40))} of a binary part is no number`;
    binary += Number(size);
    if (kind === 'literal') continue;
    const result = deltaResult(text, part.index + head.length);
    if (result === null) return 'the size of a binary part cannot be read';
    binary += result;
  }
  const moved = text.match(/(?:^|\n)(?:copy|rename) from /g)?.length ?? 0;
  return { binary, moved };
}

/** The unpacked size of a delta: the second number of its header. */
function deltaResult(text: string, from: number): number | null {
  const packed: number[] = [];
  for (let at = from; packed.length < enough;) {
    const end = text.indexOf('\n', at);
    if (end <= at) break;
    if (!decodeLine(text.slice(at, end), packed)) return null;
    at = end + 1;
  }
  try {
    const head = inflateSync(Buffer.from(packed), { finishFlush: constants.Z_SYNC_FLUSH });
    const source = number(head, 0);
    const result = source && number(head, source.next);
    return result?.value ?? null;
  } catch {
    return null;
  }
}

/** Packed bytes that normally hold the first two numbers; they unpack to at most 4 MB. */
const enough = 4096;

/** Reads a number of seven bits in each byte, the lowest first. */
function number(bytes: Buffer, from: number): { readonly value: number; readonly next: number } | null {
  let value = 0;
  for (let at = from, factor = 1; factor < 2 ** 49; at += 1, factor *= 128) {
    const byte = bytes[at];
    if (byte === undefined) return null;
    value += (byte & 127) * factor;
    if (byte < 128) return { value, next: at + 1 };
  }
  return null;
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';

/** Decodes one line of git's base 85: a letter for the number of bytes, then five characters for each four bytes. */
function decodeLine(line: string, into: number[]): boolean {
  const letter = line.charCodeAt(0);
  let left = letter >= 97 ? letter - 97 + 27 : letter - 65 + 1;
  if (left < 1 || left > 52) return false;
  for (let at = 1; left > 0; at += 5) {
    let value = 0;
    for (let digit = at; digit < at + 5; digit += 1) {
      const found = digits.indexOf(line[digit] ?? ' ');
      if (found < 0) return false;
      value = value * 85 + found;
    }
    for (let shift = 24; shift >= 0 && left > 0; shift -= 8, left -= 1) into.push(Math.floor(value / 2 ** shift) % 256);
  }
  return true;
}
