import { play, type Played } from './play';
import type { Situation } from './scenario';

/**
 * What a scenario of `cases()` leaves behind, played once in a process: many tests look at all of them. That it leaves
 * the same each time is shown by scenarios.test.ts.
 */
export function played(scenario: Situation): Played {
  const before = known.get(scenario);
  if (before) return before;
  const left = play(scenario);
  known.set(scenario, left);
  return left;
}

const known = new WeakMap<Situation, Played>();
