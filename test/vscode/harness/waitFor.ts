import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions {
  /** What is awaited, as it should read in the failure: "the status bar to say Completed". */
  what: string;
  /** Milliseconds. Generous by default: the machine may be busy, and a condition that holds ends the wait. */
  timeout?: number;
}

/** How long any wait of the harness may take by default: a try that its caller repeats takes less. */
export const DEFAULT_TIMEOUT = 120_000;

/**
 * Asks `condition` until it gives something other than undefined, null or false, and returns that.
 * A throwing condition counts as not yet; its last message is part of the failure.
 */
export async function waitFor<T>(
  condition: () => Promise<T> | T,
  { what, timeout = DEFAULT_TIMEOUT }: WaitOptions,
): Promise<NonNullable<Exclude<T, false>>> {
  const end = Date.now() + timeout;
  for (;;) {
    let last = '';
    try {
      const value = await condition();
      if (value !== undefined && value !== null && value !== false) return value as NonNullable<Exclude<T, false>>;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    if (Date.now() > end) throw new Error(`waited ${timeout} ms for ${what}${last && `; last: ${last}`}`);
    await delay(100);
  }
}

/** True when `text` equals the wanted string, or matches the wanted expression. */
export function isMatch(text: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? text === wanted : wanted.test(text);
}
