import { realpath } from 'node:fs/promises';
import path from 'node:path';

/**
 * Finds where a path of the workspace (POSIX, relative) really lies, links followed; `outside`: a link leads out of it.
 *
 * @param root absolute
 */
export async function placeInside(root: string, file: string): Promise<{ readonly path: string } | 'gone' | 'outside'> {
  const top = await realpath(root).catch(() => null);
  const real = top && (await realpath(path.join(top, ...file.split('/'))).catch(() => null));
  if (!top || !real) return 'gone';
  return real.startsWith(top + path.sep) ? { path: real } : 'outside';
}
