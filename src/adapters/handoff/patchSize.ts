import { constants, inflateSync } from 'node:zlib';

/** What the parts of a patch unpack to: whole files that it holds, and what it takes from files that are here. */
export interface PatchSize {
  /** Bytes of the binary parts: a few kilobytes can stand for any number. */
  readonly binary: number;
  /** Files that become others as they are: each may be the largest that the patch names. */
  readonly moved: number;
}

/**
 * Read before git is given the patch, because git allocates and writes what it says. A sentence where it cannot be told.
 * What only looks like such a part (between two files, where git skips it) counts as well.
 */
export function patchSize(patch: Uint8Array): PatchSize | string {
  const text = Buffer.from(patch.buffer, patch.byteOffset, patch.byteLength).toString('latin1');
  let binary = 0;
  for (const part of text.matchAll(/(?:^|\n)(literal|delta) ([^\n]*)\n/g)) {
    const [head, kind, size = ''] = part;
    // Git reads a number as C does, with signs and spaces; it writes digits.
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

/** A delta is a program that copies pieces; the size of what it makes is the second number in it. */
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

/** Packed bytes in which the first two numbers stand, unless somebody hides them; at most 4 MB come out of them. */
const enough = 4096;

/** Seven bits a byte, the lowest first. */
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

/** One line of git's base 85: a letter for the number of bytes, then five characters for four of them. */
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
