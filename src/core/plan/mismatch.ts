import { attributeLines } from '../../contracts/vocabulary/files/evidenceFiles';

/** A plan as it was locked, or as it is now. */
export interface PlanBytes {
  readonly bytes: Uint8Array | null;
  /** SHA-256 over canonical content, or null when it is no JSON. */
  readonly canonical_sha256: string | null;
}

export interface PlanRead {
  /** SHA-256; null: there is no readable file. */
  readonly observed: string | null;
  /** Why it is not the approved plan, in sentences; null: it is, or the approved text is not known. */
  readonly explanation: string | null;
}

/** Says why two plans have different hashes, in a sentence for the refusal. */
export function explainMismatch(locked: PlanBytes, observed: PlanBytes): string {
  if (observed.bytes === null) return 'The plan can no longer be read.';
  if (locked.bytes !== null && sameApartFromLineEnds(locked.bytes, observed.bytes)) {
    return `Only line ends or the byte-order mark changed (git or an editor may have converted them; ${attributeLines[0]} in .gitattributes keeps them).`;
  }
  if (locked.canonical_sha256 !== null && locked.canonical_sha256 === observed.canonical_sha256) {
    return 'Only white space or the order of fields changed.';
  }
  return `The content of the plan changed.${locked.bytes === null ? '' : firstDifference(locked.bytes, observed.bytes)}`;
}

/** The first line that differs, of both texts; empty where it is no text or too long to show. */
function firstDifference(locked: Uint8Array, observed: Uint8Array): string {
  const at = locked.findIndex((byte, index) => byte !== observed[index]);
  const from = at === -1 ? locked.length : at;
  const [was, is] = [lineAt(locked, from), lineAt(observed, from)];
  if (was === null || is === null) return '';
  const line = locked.subarray(0, from).filter((byte) => byte === lineFeed).length + 1;
  return ` In line ${line} \`${was}\` was approved, and \`${is}\` is there now.`;
}

const lineFeed = 0x0a;
/** In bytes; of a longer line only a part could be shown, which may hide the difference. */
const longestLine = 200;

function lineAt(bytes: Uint8Array, at: number): string | null {
  const start = at === 0 ? 0 : bytes.lastIndexOf(lineFeed, at - 1) + 1;
  const end = bytes.indexOf(lineFeed, at);
  const line = bytes.subarray(start, end === -1 ? bytes.length : end);
  return line.length > longestLine ? null : (utf8(line)?.trim() ?? null);
}

/** Null where the bytes are no UTF-8. */
function utf8(bytes: Uint8Array): string | null {
  try {
    return decodeURIComponent(Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
  } catch {
    return null;
  }
}

function sameApartFromLineEnds(a: Uint8Array, b: Uint8Array): boolean {
  let i = afterMark(a);
  let j = afterMark(b);
  for (;;) {
    if (isCrLf(a, i)) i++;
    if (isCrLf(b, j)) j++;
    if (i >= a.length || j >= b.length) return i >= a.length && j >= b.length;
    if (a[i] !== b[j]) return false;
    i++;
    j++;
  }
}

function afterMark(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

function isCrLf(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x0d && bytes[at + 1] === 0x0a;
}
