import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { dependencyFolders } from '../../../contracts/vocabulary/files/dependencyFolders';

const mostFolders = 20_000;
/** Folders that are read at once. */
const atOnce = 32;

export interface Nested {
  /** `.git`, `.jj` and `.mission-control` at every depth. */
  readonly found: readonly string[];
  /** False: there are more folders than the search reads. */
  readonly complete: boolean;
}

/** Finds other repositories and states below folders; skips links and dependencies. */
export async function findNested(folders: readonly string[]): Promise<Nested> {
  const found = new Set<string>();
  let left = mostFolders;
  const waiting = [...folders];
  while (waiting.length > 0) {
    const now = waiting.splice(0, Math.min(atOnce, left));
    left -= now.length;
    if (now.length === 0) return { found: [...found], complete: false };
    const listed = await Promise.all(now.map((folder) => readdir(folder, { withFileTypes: true }).catch(() => [])));
    for (const [index, entries] of listed.entries()) {
      for (const entry of entries) {
        const at = path.posix.join(now[index] ?? '', entry.name);
        if (reserved.has(entry.name.toLowerCase())) {
          if (!entry.isSymbolicLink()) found.add(at);
        } else if (entry.isDirectory() && !dependencyFolders.has(entry.name)) waiting.push(at);
      }
    }
  }
  return { found: [...found], complete: true };
}

const reserved = new Set(['.git', '.jj', '.mission-control']);
