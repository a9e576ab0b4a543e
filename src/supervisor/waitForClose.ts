import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until connections have ended by themselves, so that what a worker sent right before its end still arrives.
 * Gives up on connections without traffic, because a process that the worker left behind may hold one for ever.
 *
 * @param open a connection leaves this set when it is closed
 */
export async function drained(open: ReadonlySet<Socket>): Promise<void> {
  let before = '';
  let idle = 0;
  for (let left = mostLooks; left > 0; left -= 1) {
    // Waits first, because the first connection may not be in the set yet.
    await sleep(everyMs);
    if (open.size === 0) return;
    const now = [...open].map(({ bytesRead, writableLength }) => `${bytesRead} ${writableLength}`).join();
    idle = now === before ? idle + 1 : 0;
    if (idle >= mostIdle) return;
    before = now;
  }
}

const everyMs = 25;
/** Looks; together three seconds. */
const mostIdle = 120;
/** Looks; together ten seconds. */
const mostLooks = 400;
