import type { Actor } from '../../contracts/vocabulary/actors';

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

  /** Sends again, because there may be an owner now. */
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
