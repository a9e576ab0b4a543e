import { readdirSync, type Dirent } from 'node:fs';
import path from 'node:path';
import { dependencyFolders } from '../../../contracts/vocabulary/files/dependencyFolders';
import { Slice } from '../facts/facts';

/**
 * Reads folders and what is below them, the nearest first; skips dependencies and links. Asks
 * the disk synchronously, because that takes half the time, and in slices, because a window waits for this thread.
 *
 * @param takes says that an entry is what the walk looks for, so that it does not go below
 * @returns false: there are more folders than `most`
 */
export async function walkFolders(
  folders: readonly string[],
  most: number,
  takes: (at: string, entry: Dirent) => boolean,
): Promise<boolean> {
  const waiting = [...folders];
  const slice = new Slice();
  for (let next = 0; next < waiting.length; next += 1) {
    if (next >= most) return false;
    const folder = waiting[next] ?? '';
    for (const entry of entriesOf(folder)) {
      const at = path.posix.join(folder, entry.name);
      if (!takes(at, entry) && entry.isDirectory() && !dependencyFolders.has(entry.name)) waiting.push(at);
      if (slice.isOver()) await slice.next();
    }
    if (slice.isOver()) await slice.next();
  }
  return true;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // gone, or not to be read: nothing is found below it
  }
}
