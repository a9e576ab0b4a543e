/**
 * Whether the owner knows of every save of this window. On a busy machine the window tells its extensions of a save
 * seconds after the bytes were written, so waiting for a time proves nothing; what the window answers, it answers in turn.
 */
export class SavesTold {
  readonly #underWay = new Set<Promise<unknown>>();
  /** The window left a question unanswered: it is closed, and this extension host lives on without it. */
  #silent = false;

  /** @param ask resolves when the window has answered */
  constructor(
    private readonly ask: () => PromiseLike<unknown>,
    private readonly limitMs = 10_000,
  ) {}

  /** A save that is being told. */
  add(telling: Promise<unknown>): void {
    const known = telling.finally(() => this.#underWay.delete(known));
    this.#underWay.add(known);
  }

  /** Resolves when every save whose bytes were on disk before is told, or the window does not answer in time. */
  async settled(): Promise<void> {
    if (!this.#silent) await this.#answered();
    await Promise.allSettled(this.#underWay);
  }

  async #answered(): Promise<void> {
    const answers = this.#askInTurn();
    let limit: NodeJS.Timeout | undefined;
    const silent = new Promise<void>((resolve) => {
      limit = setTimeout(() => {
        this.#silent = true;
        void answers.then(() => (this.#silent = false));
        resolve();
      }, this.limitMs);
    });
    await Promise.race([answers, silent]);
    clearTimeout(limit);
  }

  /** The window goes to the disk and back once more after it has written, before it tells of the save. */
  async #askInTurn(): Promise<void> {
    try {
      for (let times = 0; times < 3; times += 1) await this.ask();
    } catch {
      // a window that goes away answers so
    }
  }
}
