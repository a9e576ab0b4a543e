import assert from 'node:assert/strict';
import { LineComparison } from '../../../src/adapters/workspace/lineCounts';

describe('texts that are compared line by line', () => {
  it('get less and less time, and small ones are still compared', () => {
    let now = 0;
    // Each comparison takes as long as one may.
    const comparison = new LineComparison(() => (now += 2000));
    const patience = [];
    for (let pair = 0; pair < 7; pair += 1) {
      patience.push(comparison.patience);
      assert.deepEqual(comparison.count('a\nb\n', 'a\nc\nd\n'), { added: 2, removed: 1 });
    }
    assert.deepEqual(patience, [2000, 2000, 2000, 2000, 2000, 100, 100]);
    assert.match(comparison.unified({ before: 'a/x', after: 'b/x' }, 'a\n', 'b\n') ?? '', /\n-a\n\+b\n$/);
  });
});
