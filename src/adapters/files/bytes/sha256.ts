import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { unsealed } from '../../../contracts/vocabulary/files/evidenceFiles';

/** SHA-256 as evidence and plans write it: upper-case hex. */
export function sha256Of(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').toUpperCase();
}

/** One for all files, because making it costs more than reading a short one. */
const chunk = Buffer.allocUnsafe(1 << 20);

/** The same of a file, at once, through no link; null: it cannot be read. */
export function digestOfFile(file: string | Buffer): string | null {
  let descriptor: number | null = null;
  try {
    descriptor = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
    const hash = createHash('sha256');
    for (let read = fs.readSync(descriptor, chunk); read > 0; read = fs.readSync(descriptor, chunk))
      hash.update(chunk.subarray(0, read));
    return hash.digest('hex').toUpperCase();
  } catch {
    return null; // closed to this user, or gone
  } finally {
    if (descriptor !== null) fs.closeSync(descriptor);
  }
}

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

/** Returns whether another form of a text passes `holds`: LF or CRLF, with or without a byte-order mark. */
export function holdsInAnotherForm(bytes: Uint8Array, holds: (form: Uint8Array) => boolean): boolean {
  return otherForms(bytes).some(holds);
}

/** Returns whether the digest is that of the bytes in another form. */
export function lineEndsExplain(bytes: Uint8Array, digest: string): boolean {
  return holdsInAnotherForm(bytes, (form) => sha256Of(form) === digest.toUpperCase());
}

/** Upper-case SHA-256 of the other forms. */
export function otherFormDigests(bytes: Uint8Array): readonly string[] {
  return otherForms(bytes).map(sha256Of);
}

function otherForms(bytes: Uint8Array): readonly Buffer[] {
  // Latin-1 preserves every byte.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const plain = (text.startsWith(mark) ? text.slice(mark.length) : text).replaceAll('\r\n', '\n');
  const windows = plain.replaceAll('\n', '\r\n');
  return [plain, windows, mark + plain, mark + windows]
    .filter((form, index, all) => form !== text && all.indexOf(form) === index)
    .map((form) => Buffer.from(form, 'latin1'));
}

const mark = '\u00ef\u00bb\u00bf';
