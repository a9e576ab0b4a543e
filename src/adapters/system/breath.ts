import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Long synchronous work calls this between its steps: other work of the thread gets its turn after some milliseconds.
 * The steps of such work must each be short; a count of steps would say nothing about how long they take.
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
