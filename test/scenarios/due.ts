import { pendingEffects, type Effect } from '../../src/core/mission/effects';
import { waitsNow, type Wait } from '../../src/core/mission/resolve/waits';
import type { Mission } from '../../src/core/model/state';

/** An effect that is due, or a point in time that a mission waits for. */
export type Due = Effect | (Pick<Wait, 'key' | 'at'> & { readonly kind: 'awaitTime' });

export function dueOf(mission: Mission): readonly Due[] {
  const begun = waitsNow(mission).filter(({ packet }) => packet.written);
  return [...pendingEffects(mission), ...begun.map(({ key, at }) => ({ kind: 'awaitTime', key, at }) as const)];
}
