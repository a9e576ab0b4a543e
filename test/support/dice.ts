/** The one randomness of all tests. It is the same every time: what is drawn follows from the seed. */
export interface Dice {
  /** A whole number from 0 up to, without, `limit`. */
  below(limit: number): number;
  /** A number from 0 up to, without, 1. */
  share(): number;
  /** True in this part of all cases, 0 to 1. */
  chance(part: number): boolean;
  one<T>(list: readonly T[]): T;
}

/** Mulberry32: 32 bits of state, good enough to draw test cases. */
export function dice(seed: number): Dice {
  let state = Math.imul(seed, 0x9e3779b9);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    share: next,
    chance: (part) => next() < part,
    one: <T>(list: readonly T[]): T => {
      if (list.length === 0) throw new Error('Nothing to choose from.');
      return list[below(list.length)] as T;
    },
  };
}
