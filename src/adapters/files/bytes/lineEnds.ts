import { sha256Of } from './sha256';

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
