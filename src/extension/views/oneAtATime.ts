/** A question during a run gets one further run, so that its answer is never older than the question. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting: Promise<void> | null = null;
  return () => {
    if (waiting) return waiting;
    const run = last.then(() => {
      waiting = null;
      return work();
    });
    // Ignores a failed run, because later ones must still be tried.
    last = run.catch(() => undefined);
    waiting = run;
    return run;
  };
}
