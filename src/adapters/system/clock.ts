import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Clock, Ids, Timers } from '../../engine/ports/time';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** @throws RangeError from `after` when the time is not a date. */
export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  after: (time, seconds) => new Date(Date.parse(time) + seconds * 1000).toISOString(),
};

/**
 * Milliseconds; a timer sleeps at most so long, then looks at the clock again. That keeps far deadlines below the 2^31
 * ms at which `setTimeout` fires at once. A deadline that passed while the machine slept, or because the clock was set,
 * fires within this time.
 */
const longestSleepMs = 30_000;

/**
 * Timers on the wall clock. `keepAlive: false` lets the process end while timers are pending.
 *
 * @throws RangeError from `at` when the time is not a date.
 */
export function createTimers(options: { readonly keepAlive?: boolean } = {}): Timers {
  return {
    at(time, callback) {
      const due = Date.parse(time);
      if (Number.isNaN(due)) throw new RangeError(`not a time: ${JSON.stringify(time)}`);
      let handle: NodeJS.Timeout;
      const sleep = (): void => {
        const remaining = Math.max(0, due - Date.now());
        handle = setTimeout(wake, Math.min(remaining, longestSleepMs));
        if (options.keepAlive === false) handle.unref();
      };
      // Checks again, because a timer may fire a little before its time by the wall clock.
      const wake = (): void => (Date.now() >= due ? callback() : sleep());
      sleep();
      return { dispose: () => clearTimeout(handle) };
    },
  };
}

/** Ids from the operating system's randomness: unguessable, so that a nonce proves its origin. */
export const systemIds: Ids = {
  uuid: () => randomUUID(),
  hex: (length) =>
    randomBytes(Math.ceil(length / 2))
      .toString('hex')
      .slice(0, length),
  base36: (length) => Array.from({ length }, () => randomInt(36).toString(36)).join(''),
};

/**
 * Lets other work of the thread run after some milliseconds. Long synchronous work calls this between its steps, which
 * must each be short. It measures time, because a count of steps would not show how long they take.
 *
 * @param milliseconds how long the thread may be busy at a stretch; half a frame of the extension host
 *
 * @param now milliseconds of a clock that never goes back
 */
export function breaths(
  milliseconds = 8,
  now: () => number = () => performance.now(),
): () => Promise<void> | undefined {
  let began = now();
  return () => (now() - began < milliseconds ? undefined : nextTurn().then(() => void (began = now())));
}
