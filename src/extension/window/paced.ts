/** Work that is done once for all who ask meanwhile: with a pause before it, and never twice at once. */
export class Paced {
  #timer: NodeJS.Timeout | null = null;
  #works = false;
  #again = false;

  /** @param pause milliseconds @param work reports its own failures */
  constructor(
    private readonly pause: number,
    private readonly work: () => Promise<void>,
  ) {}

  ask(): void {
    if (this.#works) this.#again = true;
    else this.#timer ??= setTimeout(() => void this.#run(), this.pause);
  }

  dispose(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    this.#timer = null;
    this.#works = true;
    await this.work();
    this.#works = false;
    if (this.#again) this.ask();
    this.#again = false;
  }
}

/**
 * Runs `work` once for all who ask before it begins, and never twice at once. A question during a run gets one further
 * run, so that its answer is never older than the question.
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
    // Ignores a failed run, because later ones must still be tried.
    last = run.catch(() => undefined);
    waiting = run;
    return run;
  };
}
