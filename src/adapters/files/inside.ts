import { realpath } from 'node:fs/promises';
import path from 'node:path';

/** The POSIX way from a folder to a place, as written. Empty: the folder itself. Null: it lies outside. */
export function wayInside(folder: string, place: string): string | null {
  const way = path.relative(folder, place);
  return way === '..' || way.startsWith(`..${path.sep}`) || path.isAbsolute(way) ? null : posix(way);
}

/** The same for people: `.` for the folder itself, an absolute path outside. */
export function shownFrom(folder: string, place: string): string {
  const way = wayInside(folder, place);
  return way === '' ? '.' : (way ?? posix(place));
}

export function posix(file: string): string {
  return file.split(path.sep).join('/');
}

/** Resolves the links of a path as far as it exists. */
export async function realPlace(place: string): Promise<string> {
  const found = await realpath(place).catch(() => null);
  const above = path.dirname(place);
  return found ?? (above === place ? place : path.join(await realPlace(above), path.basename(place)));
}

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
