/** Folders of the workspace, POSIX and relative to its root. No link on the way is ever followed. */
export interface Folders {
  /** Creates those that are missing, with the folders above them; returns what it created, outer ones first. */
  make(folders: readonly string[]): Promise<readonly string[]>;
  /** For each path itself where it is a folder, else the nearest one above that is there (`.`: the root); each once. */
  holding(paths: readonly string[]): Promise<readonly string[]>;
  /** Those that are folders. */
  existing(paths: readonly string[]): Promise<readonly string[]>;
  /** Removes those that are empty. */
  removeEmpty(folders: readonly string[]): Promise<void>;
}
