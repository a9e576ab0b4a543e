import type { ModeChange } from '../../contracts/launchEvidence';
import type { Outcome } from '../../base/outcome';

/** Folders of the workspace, POSIX and relative to its root. No link on the way is ever followed. */
export interface Folders {
  /** Creates those that are missing, with the folders above them; returns what it created, outer ones first. */
  make(folders: readonly string[]): Promise<readonly string[]>;
  /** Returns each path that is a folder, else the nearest existing folder above it (`.`: the root); each once. */
  holding(paths: readonly string[]): Promise<readonly string[]>;
  existing(paths: readonly string[]): Promise<readonly string[]>;
  removeEmpty(folders: readonly string[]): Promise<void>;
}

/** Directories that a launch needs, and their permission bits. Paths are absolute. */
export interface Directories {
  /** Returns `missing`, or whether this user may read, write and search it. `other`: the path is no directory. */
  standing(directory: string): Promise<'missing' | 'usable' | 'unusable' | 'other'>;
  create(directory: string): Promise<Outcome<null>>;
  /**
   * Adds the owner's bits (read, write, search) to one directory. For a path below one of `roots`, adds them to the
   * existing part of it and its parent. Never recursive, and never through a link that leads out. Looks again
   * afterwards.
   */
  addOwnerBits(place: string, roots: readonly string[]): Promise<OwnerBits>;
}

export interface OwnerBits {
  /** Changed modes, also where the change did not help. */
  readonly changes: readonly ModeChange[];
  /** A chmod was called. */
  readonly tried: boolean;
  /** Says why the place cannot be used, or why no bit may be changed; null: it can be used now. */
  readonly problem: string | null;
}
