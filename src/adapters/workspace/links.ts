import { lstat, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { RawChange } from '../../core/observation/change';
import { wayInside } from '../files/inside';

/**
 * Finds which of the paths and the folders above them are symbolic links. Paths are POSIX, relative
 * to the root. Gives the place where each leads in the end, relative to the root; null when outside
 * it or nowhere. Looks at nothing behind a link. `root` is resolved.
 */
export async function linksOnTheWay(
  root: string,
  paths: readonly string[],
): Promise<Readonly<Record<string, string | null>>> {
  const links = new Map<string, string | null>();
  const seen = new Set<string>();
  for (const wanted of paths) {
    const segments = wanted.split('/').filter((segment) => segment !== '' && segment !== '.');
    for (let count = 1; count <= segments.length; count += 1) {
      const place = segments.slice(0, count).join('/');
      if (links.has(place)) break;
      if (seen.has(place)) continue;
      seen.add(place);
      const stats = await lstat(path.join(root, place)).catch(() => null);
      if (stats?.isSymbolicLink() === true) links.set(place, await targetOf(root, place));
      // Stops here: paths behind a link are judged by its target, and below a missing folder there is nothing.
      if (stats === null || stats.isSymbolicLink()) break;
    }
  }
  return Object.fromEntries(links);
}

/** Returns whether a link leads out of the workspace to a file that can be started. */
export async function leadsToProgram({ kind, resolved_path }: RawChange): Promise<boolean> {
  if (kind === 'deleted' || resolved_path === null || !path.isAbsolute(resolved_path)) return false;
  const stats = await stat(resolved_path).catch(() => null);
  return stats?.isFile() === true && (stats.mode & 0o111) !== 0;
}

async function targetOf(root: string, place: string): Promise<string | null> {
  const target = await realpath(path.join(root, place)).catch(() => null);
  const way = target && wayInside(root, target);
  return way === '' ? '.' : way;
}
