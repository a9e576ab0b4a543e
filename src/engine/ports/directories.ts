import type { Outcome } from '../../base/outcome';
import type { ModeChange } from '../../core/recovery/permission/record';

/** Directories that a launch needs, and their permission bits. Paths are absolute. */
export interface Directories {
  /** `missing`, or whether this user may read, write and search it. `other`: something else stands there. */
  standing(directory: string): Promise<'missing' | 'usable' | 'unusable' | 'other'>;
  create(directory: string): Promise<Outcome<null>>;
  /**
   * Adds the owner's bits (read, write, search) to one directory, or to what is there of a path below one of `roots`
   * and the folder that holds it; never recursively, never through a link that leads out. Looks again afterwards:
   * refused with PERMISSIONS_NOT_FIXED when nothing was to be changed or it did not help.
   */
  addOwnerBits(place: string, roots: readonly string[]): Promise<Outcome<readonly ModeChange[]>>;
}
