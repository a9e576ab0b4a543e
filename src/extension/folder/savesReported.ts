/**
 * Finds out when the owner knows every save of this window. A busy window reports a save to its
 * extensions seconds after it wrote the bytes. So a fixed wait proves nothing. But the window
 * answers requests in order.
 */
export class SavesReported {
  readonly #underWay = new Set<Promise<unknown>>();
  /** The window did not answer, because it is closed and this extension host outlives it. */
  #silent = false;

  /**
   * @param ask resolves when the window has answered @param onFailure gets the reason why a save could not be reported
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
   * Stops waiting for what was pending for the whole limit, because reporting a save asks the window too. Later saves
   * stay, because a later call may need them.
   */
  #giveUp(before: readonly Promise<unknown>[], answers: Promise<void> | null): void {
    for (const late of before) this.#underWay.delete(late);
    if (answers === null) return;
    this.#silent = true;
    void answers.then(() => (this.#silent = false));
  }

  /** Asks three times, because the window accesses the disk after a write, and only then reports the save. */
  async #answers(): Promise<void> {
    try {
      for (let times = 0; times < 3; times += 1) await this.ask();
    } catch {
      // a closing window rejects
    }
  }
}
