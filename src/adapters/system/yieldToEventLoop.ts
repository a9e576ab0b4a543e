import { setImmediate as nextTurn } from 'node:timers/promises';

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
