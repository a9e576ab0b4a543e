import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Ids } from '../../engine/ports/time';

/** Ids from the operating system's randomness: unguessable, so that a nonce proves its origin. */
export const systemIds: Ids = {
  uuid: () => randomUUID(),
  hex: (length) =>
    randomBytes(Math.ceil(length / 2))
      .toString('hex')
      .slice(0, length),
  base36: (length) => Array.from({ length }, () => randomInt(36).toString(36)).join(''),
};
