import { createHash } from 'node:crypto';
import fs from 'node:fs';

/** SHA-256 as evidence and plans write it: upper-case hex. */
export function sha256Of(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').toUpperCase();
}

/** One for all files, because making it costs more than reading a short one. */
const chunk = Buffer.allocUnsafe(1 << 20);

/** The same of a file, at once, through no link; null: it cannot be read. */
export function digestOfFile(file: string): string | null {
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
