import assert from 'node:assert/strict';
import { fewNamed } from '../../../src/base/text/firstNamed';

describe('names in a sentence', () => {
  it('are three at most, and of a long one its end', () => {
    const cases: readonly (readonly [readonly string[], string])[] = [
      [['a'], 'a'],
      [['a', 'b'], 'a and b'],
      [['a', 'b', 'c'], 'a, b and c'],
      [['a', 'b', 'c', 'd'], 'a, b and 2 more'],
      [Array.from({ length: 200_002 }, () => 'x'), 'x, x and 200,000 more'],
      [[`${'d/'.repeat(60)}end.ts`], `…${'d/'.repeat(60).slice(-73)}end.ts`],
    ];
    for (const [names, sentence] of cases) assert.equal(fewNamed(names), sentence);
  });
});
