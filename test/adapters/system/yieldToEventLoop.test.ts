import assert from 'node:assert/strict';
import { breaths } from '../../../src/adapters/system/clock';

describe('long work', () => {
  it('lets other work have its turn after some milliseconds, and not before', async () => {
    let [now, others] = [100, 0];
    const breathe = breaths(8, () => now);
    setImmediate(() => (others += 1));
    now = 107;
    assert.equal(breathe(), undefined);
    await Promise.resolve();
    assert.equal(others, 0);
    now = 108;
    await breathe();
    assert.equal(others, 1);
  });

  it('counts from the end of that turn', async () => {
    let now = 0;
    const breathe = breaths(8, () => now);
    setImmediate(() => (now = 50));
    now = 8;
    await breathe();
    now = 57;
    assert.equal(breathe(), undefined);
    now = 58;
    assert.notEqual(breathe(), undefined);
  });
});
