import assert from 'node:assert/strict';
import nodeCrypto from 'node:crypto';
import { isPureRoomTest, poison, PoisonedCallError } from '../support/poison';

const forbidden: Readonly<Record<string, () => unknown>> = {
  'Date.now': () => Date.now(),
  'new Date()': () => new Date(),
  'Date()': () => Date(),
  'Math.random': () => Math.random(),
  'performance.now': () => performance.now(),
  'process.hrtime': () => process.hrtime(),
  'process.uptime': () => process.uptime(),
  setTimeout: () => setTimeout(() => undefined, 0),
  setInterval: () => setInterval(() => undefined, 1),
  setImmediate: () => setImmediate(() => undefined),
  queueMicrotask: () => {
    queueMicrotask(() => undefined);
  },
  'crypto.randomUUID': () => crypto.randomUUID(),
  'crypto.getRandomValues': () => crypto.getRandomValues(new Uint8Array(1)),
  'crypto.randomBytes': () => nodeCrypto.randomBytes(1),
  'crypto.randomInt': () => nodeCrypto.randomInt(2),
};

/** What `call` throws while the poison is in; null when it goes through. */
function refusalOf(call: () => unknown): unknown {
  const restore = poison();
  try {
    call();
    return null;
  } catch (error) {
    return error;
  } finally {
    restore();
  }
}

describe('poisoned clock and randomness', () => {
  for (const [what, call] of Object.entries(forbidden)) {
    it(`${what} throws while poisoned and works again afterwards`, () => {
      const refusal = refusalOf(call);
      assert.ok(refusal instanceof PoisonedCallError, `${what} went through`);
      assert.equal(refusal.what, what);
      const after = call();
      if (what === 'setInterval') clearInterval(after as NodeJS.Timeout);
    });
  }

  it('leaves dates built from values usable', () => {
    const restore = poison();
    try {
      assert.equal(new Date(0).toISOString(), '1970-01-01T00:00:00.000Z');
      assert.equal(Date.parse('1970-01-01T00:00:01Z'), 1000);
      assert.ok(new Date(5) instanceof Date);
    } finally {
      restore();
    }
  });

  it('is applied to the tests of the pure rooms and to no others', () => {
    assert.equal(isPureRoomTest('/repo/dist-test/base/text/marked/visible.test.js'), true);
    assert.equal(isPureRoomTest('/repo/dist-test/core/plan/rules.test.js'), true);
    assert.equal(isPureRoomTest('C:\\repo\\dist-test\\workers\\claude.test.js'), true);
    assert.equal(isPureRoomTest('/repo/dist-test/adapters/core/clock.test.js'), false);
    assert.equal(isPureRoomTest('/core/dist-test/engine/loop.test.js'), false);
    assert.equal(isPureRoomTest(undefined), false);
  });
});
