import { sha256 as digest } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** SHA-256 of the UTF-8 bytes of a text, upper-case hex. By a library, because the deciders touch no Node. */
export function sha256(text: string): string {
  return bytesToHex(digest(utf8(text))).toUpperCase();
}

/** The bytes of a text in UTF-8; half a pair counts as U+FFFD. */
export const utf8: (text: string) => Uint8Array = utf8ToBytes;
