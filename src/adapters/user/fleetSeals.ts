import { timingSafeEqual } from 'node:crypto';
import { sealedTextSchema } from '../../contracts/fleet';
import { done } from '../../base/outcome';
import type { FleetSeals } from '../../engine/ports/fleet';
import { openUserKey } from './key';

/** Seals with the key of this user, so all hosts of a fleet belong to one user with one key. */
export const fleetSeals: FleetSeals = {
  async seal(kind, text) {
    const key = await openUserKey();
    return key.ok ? done({ text, seal: key.value.seal('fleet', kind, text) }) : key;
  },
  async open(kind, value) {
    const sealed = sealedTextSchema.safeParse(value);
    if (!sealed.success) return done(null);
    const key = await openUserKey();
    if (!key.ok) return key;
    const { text, seal } = sealed.data;
    const holds = timingSafeEqual(Buffer.from(seal), Buffer.from(key.value.seal('fleet', kind, text)));
    return done(holds ? text : null);
  },
};
