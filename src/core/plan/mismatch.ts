import { attributeLines } from '../../contracts/vocabulary/evidenceFiles';

/** A plan as it was locked, or as it is now. */
export interface PlanBytes {
  readonly bytes: Uint8Array | null;
  /** SHA-256 over canonical content, or null when it is no JSON. */
  readonly canonical_sha256: string | null;
}

/** Why two plans have different hashes, in a sentence for the refusal. */
export function explainMismatch(locked: PlanBytes, observed: PlanBytes): string {
  if (observed.bytes === null) return 'The plan can no longer be read.';
  if (locked.bytes !== null && sameApartFromLineEnds(locked.bytes, observed.bytes)) {
    return `Only line ends or the byte-order mark changed (git or an editor may have converted them; ${attributeLines[0]} in .gitattributes keeps them).`;
  }
  if (locked.canonical_sha256 !== null && locked.canonical_sha256 === observed.canonical_sha256) {
    return 'Only white space or the order of fields changed.';
  }
  return 'The content of the plan changed.';
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
