import assert from 'node:assert/strict';
import { createTimers, systemClock } from '../../../src/adapters/system/clock';

describe('timers of the system clock', () => {
  it('fire at or after the time, also one that has passed, and not when disposed', async () => {
    const timers = createTimers();
    const due = systemClock.after(systemClock.now(), 0.03);
    await new Promise<void>((resolve) => timers.at(due, resolve));
    assert(systemClock.now() >= due);
    await new Promise<void>((resolve) => timers.at('2000-01-01T00:00:00Z', resolve));
    timers.at(systemClock.now(), () => assert.fail('was disposed')).dispose();
    assert.throws(() => timers.at('tomorrow', () => undefined), RangeError);
  });

  it('wait for times that are further away than setTimeout allows', async () => {
    const far = createTimers().at('2126-01-01T00:00:00Z', () => assert.fail('a hundred years early'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    far.dispose();
  });
});
