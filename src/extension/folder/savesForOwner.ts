import type { Actor } from '../../contracts/vocabulary/actors';

/** `path`: POSIX, relative to the workspace folder. */
export interface Save {
  readonly actor: Actor;
  readonly path: string;
  readonly sha256: string;
}

/**
 * What was saved in this window and the owner does not know yet: the newest content of each file, one after the other,
 * kept until somebody owns. Between two owners a worker goes on under its supervisor, and the next one observes it.
 */
export class SavesForOwner {
  readonly #waiting = new Map<string, Save>();
  #sending: Promise<void> | null = null;

  /**
   * @param send whether an owner decided about it; false: there was none
   * @param onFailure hears why one could not be sent; it waits for the next owner
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

  /** Somebody may own now. */
  flush(): Promise<void> {
    if (this.#waiting.size === 0) return Promise.resolve();
    this.#sending ??= this.#sendAll();
    return this.#sending;
  }

  /** Nothing runs that could be blamed. */
  forget(): void {
    this.#waiting.clear();
  }

  async #sendAll(): Promise<void> {
    await Promise.resolve(); // or an end without a wait would come before this is kept as what is being sent
    try {
      for (let [next] = this.#waiting.values(); next; [next] = this.#waiting.values()) {
        if (!(await this.send(next))) return;
        // Saved once more meanwhile: that is another content.
        if (this.#waiting.get(next.path) === next) this.#waiting.delete(next.path);
      }
    } catch (error) {
      this.onFailure(error);
    } finally {
      // Here, not when somebody hears of the end: what is added in between would not be sent.
      this.#sending = null;
    }
  }
}
