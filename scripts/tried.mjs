// Tries each download three times, because a registry that does not answer once is no failure of a test.
import { setTimeout as delay } from 'node:timers/promises';

/**
 * @param {() => string | null | Promise<string | null>} fetch its answer: what went wrong, or null
 * @returns {Promise<string | null>} what went wrong the last time, or null
 */
export async function tried(fetch, pauseMs = 5000) {
  for (let left = 2; ; left -= 1) {
    const failed = await fetch();
    if (failed === null || left === 0) return failed;
    console.log(`${failed}; trying again`);
    await delay(pauseMs);
  }
}
