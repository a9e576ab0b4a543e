import assert from 'node:assert/strict';

/** Shows that the hook of test/support/poison.ts really runs here: this file sits in a pure room's tests. */
describe('core tests', () => {
  it('run with a poisoned clock', () => {
    assert.throws(() => Date.now(), { name: 'PoisonedCallError' });
    assert.throws(() => crypto.randomUUID(), { name: 'PoisonedCallError' });
  });
});
