import type { Attempt } from '../../src/core/model/attempt';
import type { Mission } from '../../src/core/model/state';

/** Every attempt under way: none or one, or one per lane. */
export function attemptsUnderWay({ lanes }: Mission): readonly Attempt[] {
  return lanes;
}
