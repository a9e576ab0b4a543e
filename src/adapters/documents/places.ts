import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { mostSiblings } from '../../contracts/vocabulary/confinement';
import type { PlaceFact } from '../../engine/ports/plans';
import { placeInWorkspace } from '../files/place';

/** Returns what the disk has at approved paths, as far as a sandbox around them needs it. Never throws. */
export async function lookAtPlaces(folder: string, paths: readonly string[]): Promise<readonly PlaceFact[]> {
  const root = await realpath(folder).catch(() => null);
  if (root === null) return [];
  const names = new Map<string, Promise<readonly string[]>>();
  const beside = (above: string): Promise<readonly string[]> => {
    const known = names.get(above) ?? siblingNames(above);
    names.set(above, known);
    return known;
  };
  return Promise.all(paths.map((one) => lookAt(root, one, beside)));
}

/** The link on the way to each path, or at its end; null: no link, or unknown. Never throws. */
export function linksIn(folder: string, paths: readonly string[]): Promise<readonly (string | null)[]> {
  return Promise.all(
    paths.map(async (one) => {
      const place = await placeInWorkspace(folder, one).catch(() => null);
      return place?.kind === 'refused' && place.by === 'link' ? place.at : null;
    }),
  );
}

async function lookAt(
  root: string,
  written: string,
  beside: (folder: string) => Promise<readonly string[]>,
): Promise<PlaceFact> {
  const at = path.join(root, written);
  const above = path.dirname(at);
  const real = await realpath(above).catch(() => null);
  if (real === null) return { path: written, kind: 'missing', beside: [] };
  // A file system that ignores case may spell the path in another way.
  if (real !== above && real.toLowerCase() !== above.toLowerCase())
    return { path: written, kind: 'behind_link', beside: [] };
  const stats = await lstat(at).catch(() => null);
  if (stats?.isDirectory() === true) return { path: written, kind: 'folder', beside: [] };
  const led = stats?.isSymbolicLink() === true ? await stat(at).catch(() => null) : null;
  if (led?.isDirectory() === true) return { path: written, kind: 'behind_link', beside: [] };
  return { path: written, kind: stats === null ? 'missing' : 'other', beside: await beside(above) };
}

async function siblingNames(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.flatMap((entry) => (entry.isSymbolicLink() ? [] : [entry.name]));
  return names.length > mostSiblings ? names : [];
}
