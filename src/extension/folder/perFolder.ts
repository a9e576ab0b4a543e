import type { Contribution } from '../registry/contribution';
import type { MissionFolder, MissionFolders } from './types';

/** A part for each folder of the window: made when the folder comes, disposed when it goes. */
export class PerFolder<T extends Contribution> implements Contribution {
  readonly #parts = new Map<string, T>();
  readonly #subscription: Contribution;

  constructor(
    private readonly folders: MissionFolders,
    private readonly make: (folder: MissionFolder) => T,
  ) {
    this.#subscription = folders.onDidChange(() => this.#follow());
    this.#follow();
  }

  get all(): readonly T[] {
    return [...this.#parts.values()];
  }

  /** Undefined: the folder is no longer open. */
  of({ folder }: Pick<MissionFolder, 'folder'>): T | undefined {
    return this.#parts.get(folder.uri.toString());
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const part of this.all) part.dispose();
  }

  #follow(): void {
    const present = new Map(this.folders.all.map((folder) => [folder.folder.uri.toString(), folder]));
    for (const [key, part] of this.#parts) {
      if (present.has(key)) continue;
      part.dispose();
      this.#parts.delete(key);
    }
    for (const [key, folder] of present) if (!this.#parts.has(key)) this.#parts.set(key, this.make(folder));
  }
}
