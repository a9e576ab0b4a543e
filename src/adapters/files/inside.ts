import { realpath } from 'node:fs/promises';
import path from 'node:path';

/**
 * Finds the real place of a workspace path (POSIX, relative), with links followed; `outside`: a link leads out.
 *
 * @param root absolute
 */
export async function placeInside(root: string, file: string): Promise<{ readonly path: string } | 'gone' | 'outside'> {
  const top = await realpath(root).catch(() => null);
  const real = top && (await realpath(path.join(top, ...file.split('/'))).catch(() => null));
  if (!top || !real) return 'gone';
  return real.startsWith(top + path.sep) ? { path: real } : 'outside';
}
