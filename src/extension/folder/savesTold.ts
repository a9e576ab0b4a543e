/**
 * Whether the owner knows of every save of this window. On a busy machine the window tells its extensions of a save
 * seconds after the bytes were written, so waiting for a time proves nothing; what the window answers, it answers in turn.
 */
export class SavesTold {
  readonly #underWay = new Set<Promise<unknown>>();
  /** The window left a question unanswered: it is closed, and this extension host lives on without it. */
  #silent = false;

  /**
   * @param ask resolves when the window has answered
   * @param onFailure hears why a save could not be told
   */
  constructor(
    private readonly ask: () => PromiseLike<unknown>,
    private readonly onFailure: (error: unknown) => void,
    private readonly limitMs = 10_000,
  ) {}

  /** A save that is being told. */
  add(telling: Promise<unknown>): void {
    const known = telling.catch(this.onFailure).finally(() => this.#underWay.delete(known));
    this.#underWay.add(known);
  }

  /** Resolves when every save whose bytes were on disk before is told, or the window does not answer in time. */
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
   * Telling of a save asks the window too, so what was waited for as long as the limit is not waited for once more.
   * What came meanwhile is: several calls wait at the same time, and one that began later needs it.
   */
  #giveUp(before: readonly Promise<unknown>[], answers: Promise<void> | null): void {
    for (const late of before) this.#underWay.delete(late);
    if (answers === null) return;
    this.#silent = true;
    void answers.then(() => (this.#silent = false));
  }

  /** The window goes to the disk and back once more after it has written, before it tells of the save. */
  async #answers(): Promise<void> {
    try {
      for (let times = 0; times < 3; times += 1) await this.ask();
    } catch {
      // a window that goes away answers so
    }
  }
}
