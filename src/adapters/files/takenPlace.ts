import { lstatSync } from 'node:fs';
import path from 'node:path';
import { setAside } from './atomic';
import { errorWords } from '../../base/outcome';

/**
 * Moves aside anything but a regular file from the place of a file that we write; never opens, follows or deletes it.
 * Returns a sentence for a person; null: nothing was in the way.
 *
 * @throws the file system's own error.
 */
export async function clearPlace(file: string): Promise<string | null> {
  const what = whatTakes(file);
  if (what === null) return null;
  const aside = await setAside(file);
  return `A ${what} stood in the place of ${file}; it was moved to ${path.basename(aside)} beside it. Look at what made it, then decide anew about the task.`;
}

/** Says why a file could not be written. Names the thing at its place, because the file system's error does not. */
export function writeProblem(error: unknown): string {
  const { path: from, dest } = (error ?? {}) as { readonly path?: unknown; readonly dest?: unknown };
  const file = typeof dest === 'string' ? dest : from;
  const what = typeof file === 'string' ? whatTakes(file) : null;
  return what === null
    ? errorWords(error)
    : `a ${what} stands in the place of ${String(file)}; move it away, and look at what made it`;
}

function whatTakes(file: string): 'folder' | 'link' | 'pipe' | 'device or socket' | null {
  try {
    const stats = lstatSync(file);
    if (stats.isFile()) return null;
    if (stats.isDirectory()) return 'folder';
    if (stats.isSymbolicLink()) return 'link';
    return stats.isFIFO() ? 'pipe' : 'device or socket';
  } catch {
    return null; // absent, or the write reports why it cannot be read
  }
}
