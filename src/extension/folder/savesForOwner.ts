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

  /** @param send whether an owner decided about it; false: there was none */
  constructor(private readonly send: (save: Save) => Promise<boolean>) {}

  add(save: Save): Promise<void> {
    this.#waiting.delete(save.path);
    this.#waiting.set(save.path, save);
    return this.flush();
  }

  /** Somebody may own now. */
  flush(): Promise<void> {
    if (this.#waiting.size === 0) return Promise.resolve();
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null;
    });
    return this.#sending;
  }

  /** Nothing runs that could be blamed. */
  forget(): void {
    this.#waiting.clear();
  }

  async #sendAll(): Promise<void> {
    for (let [next] = this.#waiting.values(); next; [next] = this.#waiting.values()) {
      if (!(await this.send(next))) return;
      // Saved once more meanwhile: that is another content.
      if (this.#waiting.get(next.path) === next) this.#waiting.delete(next.path);
    }
  }
}
