import { unsealed } from '../../contracts/vocabulary/evidenceFiles';
import { sha256Of } from './sha256';

/** Puts the seal into a header as `headerDocument` builds it; null when the text has no place for it at its end. */
export function sealHeader(text: string): string | null {
  const found = sealAtEnd.exec(text);
  if (found === null) return null;
  const open = withSeal(text, found, unsealed);
  return withSeal(text, found, sha256Of(open));
}

/** Whether the seal of a header holds for exactly these bytes; null when it carries none. */
export function sealHolds(bytes: Uint8Array): boolean | null {
  // Latin-1 keeps every byte: a byte that is no UTF-8 must not be smoothed over before the digest.
  const text = Buffer.from(bytes).toString('latin1');
  const found = sealAtEnd.exec(text);
  if (found === null) return text.includes('"header_sha256"') ? false : null;
  return found[1] === sha256Of(Buffer.from(withSeal(text, found, unsealed), 'latin1'));
}

const sealAtEnd = /\n {2}"header_sha256": "([0-9A-F]{64})"\n\}\n$/;

function withSeal(text: string, found: RegExpExecArray, digest: string): string {
  return `${text.slice(0, found.index)}\n  "header_sha256": "${digest}"\n}\n`;
}
