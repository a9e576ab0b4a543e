import assert from 'node:assert/strict';
import { fewNamed } from '../../../src/base/text/firstNamed';

describe('names in a sentence', () => {
  it('are three at most, each named once and whole', () => {
    const cases: readonly (readonly [readonly string[], string])[] = [
      [['a'], 'a'],
      [['a', 'b'], 'a and b'],
      [['a', 'b', 'c'], 'a, b and c'],
      [['a', 'b', 'c', 'd'], 'a, b and 2 more'],
      [Array.from({ length: 200_002 }, (_, at) => `${at}`), '0, 1 and 200,000 more'],
      [['a', 'a', 'b', 'a', 'c'], 'a, b and c'],
      // Cut, it would be no longer known for the secret that it may hold.
      [[`${'d/'.repeat(2000)}end.ts`], `${'d/'.repeat(2000)}end.ts`],
    ];
    for (const [names, sentence] of cases) assert.equal(fewNamed(names), sentence);
  });
});
