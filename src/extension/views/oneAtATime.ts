/**
 * `work` once for all who ask before it begins, never two at once: who asks while it runs is answered by one further
 * run, so what is found last is never older than what was asked for.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting: Promise<void> | null = null;
  return () => {
    if (waiting) return waiting;
    const run = last.then(() => {
      waiting = null;
      return work();
    });
    // One that failed does not keep others from being tried.
    last = run.catch(() => undefined);
    waiting = run;
    return run;
  };
}
