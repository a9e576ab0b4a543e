import { realpath, stat } from 'node:fs/promises';
import { inside } from './facts';

export interface HiddenPlaces {
  /** The hidden folders: those for temporary files, sockets and devices, and those with secrets. */
  readonly roots: readonly string[];
  /** Places inside them that are visible. */
  readonly shown: readonly string[];
  readonly secret: readonly string[];
}

/** Returns whether a place is hidden; the deepest folder around it decides. */
export function isCovered(at: string, { roots, shown }: HiddenPlaces): boolean {
  const deepest = (folders: readonly string[]): number =>
    Math.max(-1, ...folders.filter((one) => inside(at, one)).map((one) => one.length));
  return deepest(roots) > deepest(shown);
}

/**
 * Returns whether a file or a folder may be made visible. False for a hidden folder itself, and for anything in a
 * secret or in a state folder of ours.
 */
export function mayUncover(at: string, places: HiddenPlaces): boolean {
  if (!isCovered(at, places) || [...places.roots, ...alwaysRoots].includes(at)) return false;
  return !places.secret.some((one) => inside(at, one)) && !at.split('/').includes('.mission-control');
}

/** Everything on the machine shares these, as it shares /tmp. */
const alwaysRoots = ['/dev/shm', '/dev/mqueue', '/run/user', '/run/lock', '/tmp', '/var/tmp'];

/** Finds the folders with sockets of the session and of services; `needed`: places that must lie in none of them. */
export async function socketFolders(
  environment: Readonly<Record<string, string | undefined>>,
  needed: readonly string[],
): Promise<readonly string[]> {
  const session = environment['XDG_RUNTIME_DIR'];
  const wanted = ['/run', '/var/run', '/mnt/wslg', ...(session?.startsWith('/') === true ? [session] : [])];
  const real = await Promise.all(wanted.map(folderOrNull));
  const found = [...new Set(real.flatMap((one) => (one === null || one === '/' ? [] : [one])))];
  const outer = found.filter((one) => !found.some((other) => other !== one && inside(one, other)));
  // Checks it, because the session's folder may be any folder.
  return outer.filter((one) => one === '/run' || !needed.some((place) => inside(place, one)));
}

/** The resolved path of a folder; null: the folder does not exist. */
export async function folderOrNull(folder: string): Promise<string | null> {
  const real = await realpath(folder).catch(() => null);
  return real !== null && (await stat(real)).isDirectory() ? real : null;
}

/** Returns whether a folder holds another hidden place, or a place that a mission or this user needs. */
export function holdsOthers(folder: string, { roots, shown, secret }: HiddenPlaces): boolean {
  return [...roots, ...shown, ...secret].some((one) => inside(one, folder));
}
