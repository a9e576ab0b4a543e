/** Folders of the workspace, POSIX and relative to its root. No link on the way is ever followed. */
export interface Folders {
  /** Creates those that are missing, with the folders above them; returns what it created, outer ones first. */
  make(folders: readonly string[]): Promise<readonly string[]>;
  /** Returns each path that is a folder, else the nearest existing folder above it (`.`: the root); each once. */
  holding(paths: readonly string[]): Promise<readonly string[]>;
  existing(paths: readonly string[]): Promise<readonly string[]>;
  removeEmpty(folders: readonly string[]): Promise<void>;
}
