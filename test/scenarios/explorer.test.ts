import assert from 'node:assert/strict';
import { explore } from './explorer';

describe('missions played at random: never stuck, never two at one place, and they end with evidence', () => {
  for (let first = 1; first <= 400; first += 50) {
    it(`seeds ${first} to ${first + 49}`, () => {
      for (let seed = first; seed < first + 50; seed += 1) named(seed);
    });
  }

  it('work that waits in layers lands verified, and accepted where the plan says so, merged with what landed', () => {
    const events = (['verified', 'accepted'] as const).map((landing) =>
      Array.from({ length: 100 }, (_, seed) => explore(seed, landing)).flatMap((entries) =>
        entries.map(({ event }) => event),
      ),
    );
    for (const played of events) assert.ok(played.some(({ type }) => type === 'WorkLanded'));
    assert.ok(events.flat().some((event) => event.type === 'LandingRequested' && event.merges));
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
