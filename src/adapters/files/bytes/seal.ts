import { unsealed } from '../../../contracts/vocabulary/files/evidenceFiles';
import { sha256Of } from './sha256';

/** Seals a header built by `headerDocument`; null: the text does not end with the place of a seal. */
export function sealHeader(text: string): string | null {
  const found = sealAtEnd.exec(text);
  if (found === null) return null;
  const open = withSeal(text, found, unsealed);
  return withSeal(text, found, sha256Of(open));
}

/** Returns whether the seal of a header matches these bytes; null: it carries no seal. */
export function sealHolds(bytes: Uint8Array): boolean | null {
  // Latin-1 preserves every byte, while UTF-8 would replace some before the digest.
  const text = Buffer.from(bytes).toString('latin1');
  const found = sealAtEnd.exec(text);
  if (found === null) return text.includes('"header_sha256"') ? false : null;
  return found[1] === sha256Of(Buffer.from(withSeal(text, found, unsealed), 'latin1'));
}

const sealAtEnd = /\n {2}"header_sha256": "([0-9A-F]{64})"\n\}\n$/;

function withSeal(text: string, found: RegExpExecArray, digest: string): string {
  return `${text.slice(0, found.index)}\n  "header_sha256": "${digest}"\n}\n`;
}
