/**
 * Tells when the owner knows of every save of this window. A busy window reports a save to its extensions seconds after
 * writing the bytes, so waiting for a time proves nothing; but it answers requests in order.
 */
export class SavesReported {
  readonly #underWay = new Set<Promise<unknown>>();
  /** The window left a request unanswered: it is closed, and this extension host outlives it. */
  #silent = false;

  /**
   * @param ask resolves when the window has answered
   * @param onFailure gets why a save could not be reported
   */
  constructor(
    private readonly ask: () => PromiseLike<unknown>,
    private readonly onFailure: (error: unknown) => void,
    private readonly limitMs = 10_000,
  ) {}

  /** Adds a save that is being reported. */
  add(telling: Promise<unknown>): void {
    const known = telling.catch(this.onFailure).finally(() => this.#underWay.delete(known));
    this.#underWay.add(known);
  }

  /** Resolves when every save written before this call is reported, or the window does not answer in time. */
  async settled(): Promise<void> {
    const before = [...this.#underWay];
    const answers = this.#silent ? null : this.#answers();
    let limit: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      limit = setTimeout(resolve, this.limitMs);
    }).then(() => this.#giveUp(before, answers));
    await Promise.race([this.#allTold(answers), late]);
    clearTimeout(limit);
  }

  async #allTold(answers: Promise<void> | null): Promise<void> {
    await answers;
    await Promise.all(this.#underWay);
  }

  /**
   * Reporting a save asks the window too, so what was pending for the whole limit is not awaited again. Saves added
   * meanwhile are: a later call may need them.
   */
  #giveUp(before: readonly Promise<unknown>[], answers: Promise<void> | null): void {
    for (const late of before) this.#underWay.delete(late);
    if (answers === null) return;
    this.#silent = true;
    void answers.then(() => (this.#silent = false));
  }

  /** After writing, the window accesses the disk once more before it reports the save. */
  async #answers(): Promise<void> {
    try {
      for (let times = 0; times < 3; times += 1) await this.ask();
    } catch {
      // a closing window rejects
    }
  }
}
