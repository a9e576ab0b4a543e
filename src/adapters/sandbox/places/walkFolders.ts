import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { dependencyFolders } from '../../../contracts/vocabulary/files/dependencyFolders';

/** Folders that are read at once. */
const atOnce = 32;

/**
 * Reads folders and what is below them, the nearest first; skips dependencies and links.
 *
 * @param takes says that an entry is what the walk looks for, so that it does not go below
 * @returns false: there are more folders than `most`
 */
export async function walkFolders(
  folders: readonly string[],
  most: number,
  takes: (at: string, entry: Dirent) => boolean,
): Promise<boolean> {
  let left = most;
  const waiting = [...folders];
  while (waiting.length > 0) {
    const now = waiting.splice(0, Math.min(atOnce, left));
    left -= now.length;
    if (now.length === 0) return false;
    const listed = await Promise.all(now.map((folder) => readdir(folder, { withFileTypes: true }).catch(() => [])));
    for (const [index, entries] of listed.entries())
      for (const entry of entries) {
        const at = path.posix.join(now[index] ?? '', entry.name);
        if (!takes(at, entry) && entry.isDirectory() && !dependencyFolders.has(entry.name)) waiting.push(at);
      }
  }
  return true;
}
