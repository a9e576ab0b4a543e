import { commands } from 'vscode';

/**
 * Whether the owner knows of every save of this window. On a busy machine the window tells its extensions of a save
 * seconds after the bytes were written, so waiting for a time proves nothing; what the window answers, it answers in turn.
 */
export class SavesTold {
  readonly #underWay = new Set<Promise<unknown>>();

  /** A save that is being told. */
  add(telling: Promise<unknown>): void {
    const known = telling.finally(() => this.#underWay.delete(known));
    this.#underWay.add(known);
  }

  /** Resolves when every save whose bytes were on disk before is told. */
  async settled(): Promise<void> {
    // The window goes to the disk and back once more after it has written, before it tells of the save.
    for (let times = 0; times < 3; times += 1) await commands.getCommands(true);
    await Promise.allSettled(this.#underWay);
  }
}
