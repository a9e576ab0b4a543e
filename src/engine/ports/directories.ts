import type { Outcome } from '../../base/outcome';
import type { ModeChange } from '../../core/recovery/permission/record';

/** Directories that a launch needs, and their permission bits. Paths are absolute. */
export interface Directories {
  /** `missing`, or whether this user may read, write and search it. `other`: something else stands there. */
  standing(directory: string): Promise<'missing' | 'usable' | 'unusable' | 'other'>;
  create(directory: string): Promise<Outcome<null>>;
  /**
   * Adds the owner's bits (read, write, search) to one directory, or to what is there of a path below one of `roots`
   * and the folder that holds it; never recursively, never through a link that leads out. Looks again afterwards.
   */
  addOwnerBits(place: string, roots: readonly string[]): Promise<OwnerBits>;
}

/** What became of adding the owner's bits. */
export interface OwnerBits {
  /** Modes that were changed, also where that did not help. */
  readonly changes: readonly ModeChange[];
  /** A chmod was called. */
  readonly tried: boolean;
  /** Why the place cannot be used, or why nothing was to be changed; null: it can be used now. */
  readonly problem: string | null;
}
