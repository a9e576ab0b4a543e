import type { Actor } from '../../contracts/vocabulary/actors';

/**
 * Finds out when the owner knows every save of this window. A busy window reports a save to its extensions seconds
 * after it wrote the bytes. So a fixed wait proves nothing. But the window answers requests in order.
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

/** `path`: POSIX, relative to the workspace folder. */
export interface Save {
  readonly actor: Actor;
  readonly path: string;
  readonly sha256: string;
}

/**
 * Saves of this window that the owner does not know yet: the newest of each file, sent one at a time and kept until
 * there is an owner. Between two owners a worker runs on, and the next owner observes it.
 */
export class SavesForOwner {
  readonly #waiting = new Map<string, Save>();
  #sending: Promise<void> | null = null;

  /**
   * @param send resolves with whether an owner decided about it; false: there was none @param onFailure gets the reason
   * why a save could not be sent; the save waits for the next owner
   */
  constructor(
    private readonly send: (save: Save) => Promise<boolean>,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  add(save: Save): Promise<void> {
    this.#waiting.delete(save.path);
    this.#waiting.set(save.path, save);
    return this.flush();
  }

  flush(): Promise<void> {
    if (this.#waiting.size === 0) return Promise.resolve();
    this.#sending ??= this.#sendAll();
    return this.#sending;
  }

  /** Forgets the saves, because no worker runs that could be blamed for them. */
  forget(): void {
    this.#waiting.clear();
  }

  async #sendAll(): Promise<void> {
    await Promise.resolve(); // or an early end would clear `#sending` before it is set
    try {
      for (let [next] = this.#waiting.values(); next; [next] = this.#waiting.values()) {
        if (!(await this.send(next))) return;
        // Keeps a file that was saved again meanwhile, because the newer save still waits.
        if (this.#waiting.get(next.path) === next) this.#waiting.delete(next.path);
      }
    } catch (error) {
      this.onFailure(error);
    } finally {
      // Cleared at once, because a save added later must start a new sending.
      this.#sending = null;
    }
  }
}
