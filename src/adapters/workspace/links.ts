import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { relativeInside } from './manifest/walk';

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
      const kind = await linkKind(path.join(root, place));
      if (kind === 'link') links.set(place, await targetOf(root, place));
      // Stops here: paths behind a link are judged by its target, and below a missing folder there is nothing.
      if (kind !== 'other') break;
    }
  }
  return Object.fromEntries(links);
}

async function linkKind(file: string): Promise<'link' | 'other' | 'nothing'> {
  try {
    return (await lstat(file)).isSymbolicLink() ? 'link' : 'other';
  } catch {
    return 'nothing';
  }
}

async function targetOf(root: string, place: string): Promise<string | null> {
  try {
    const target = await realpath(path.join(root, place));
    return target === root ? '.' : relativeInside(root, target);
  } catch {
    return null;
  }
}
