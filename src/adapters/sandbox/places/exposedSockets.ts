import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { dependencyFolders } from '../../../contracts/vocabulary/files/dependencyFolders';

/** Places in visible folders that must stay out of reach. */
export interface Kept {
  /** State folders of ours. */
  readonly states: readonly string[];
  readonly sockets: readonly string[];
}

const mostFolders = 2_000;
/** Folders that are read at once. */
const atOnce = 32;

/** Finds states and sockets in folders, the nearest first; skips dependencies and links. */
export async function keptIn(folders: readonly string[]): Promise<Kept> {
  const states: string[] = [];
  const sockets: string[] = [];
  let left = mostFolders;
  const waiting = [...folders];
  while (waiting.length > 0 && left > 0) {
    const now = waiting.splice(0, Math.min(atOnce, left));
    left -= now.length;
    const listed = await Promise.all(now.map((folder) => readdir(folder, { withFileTypes: true }).catch(() => [])));
    for (const [index, entries] of listed.entries()) {
      for (const entry of entries) {
        const at = path.posix.join(now[index] ?? '', entry.name);
        if (entry.isSocket()) sockets.push(at);
        else if (!entry.isDirectory()) continue;
        else if (entry.name === '.mission-control') states.push(at);
        else if (!dependencyFolders.has(entry.name)) waiting.push(at);
      }
    }
  }
  return { states, sockets };
}
