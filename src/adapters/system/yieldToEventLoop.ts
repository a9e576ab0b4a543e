import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Lets other work of the thread run, between the short steps of long synchronous work.
 *
 * @param milliseconds how long the thread may be busy at a stretch; half a frame of the extension host
 * @param now milliseconds of a clock that never goes back
 */
export function breaths(
  milliseconds = 8,
  now: () => number = () => performance.now(),
): () => Promise<void> | undefined {
  let began = now();
  return () => (now() - began < milliseconds ? undefined : nextTurn().then(() => void (began = now())));
}
