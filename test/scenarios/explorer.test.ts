import assert from 'node:assert/strict';
import { explore } from './explorer';

describe('missions played at random: never stuck, never two at one place, and they end with evidence', () => {
  for (let first = 1; first <= 400; first += 50) {
    it(`seeds ${first} to ${first + 49}`, () => {
      for (let seed = first; seed < first + 50; seed += 1) named(seed);
    });
  }

  it('nothing lands before a person accepted it, where the plan says so', () => {
    const landings = Array.from({ length: 100 }, (_, seed) =>
      explore(seed, 'accepted').filter(({ event }) => event.type === 'WorkLanded'),
    );
    assert.ok(landings.some((found) => found.length > 0));
  });

  it('the same seed plays the same mission', () => assert.deepEqual(explore(7), explore(7)));
});

function named(seed: number): void {
  try {
    explore(seed);
  } catch (error) {
    throw new Error(`Seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
