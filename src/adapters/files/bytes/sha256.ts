import { createHash } from 'node:crypto';

/** SHA-256 as evidence and plans write it: upper-case hex. */
export function sha256Of(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').toUpperCase();
}
