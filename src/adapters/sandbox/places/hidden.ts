import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { hiddenSignIns, signInDepth } from '../../../contracts/vocabulary/files/caches';
import { privatePlaces, type PrivatePlace, type SecretsSeen } from '../../../contracts/vocabulary/files/privatePlaces';
import { inside } from '../facts/facts';

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

/** The private places of HOME that are there and that a launch does not see, resolved. */
export interface Private {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  /** Folders that it sees and that programs listen in. */
  readonly listening: readonly string[];
}

/** Finds private places. Leaves out those that hold a place which is needed, such as the workspace. */
export async function findPrivate(home: string | null, seen: SecretsSeen, needed: readonly string[]): Promise<Private> {
  const found = { folders: [] as string[], files: [] as string[], listening: [] as string[] };
  if (home === null) return found;
  const named: readonly Omit<PrivatePlace, 'of'>[] = [
    ...privatePlaces,
    ...(await socketFoldersIn(home, '.config')),
    ...(await signInsIn(home, '.cache')),
  ];
  for (const { below, kind, listens } of named) {
    const real = await realpath(path.posix.join(home, below)).catch(() => null);
    if (real === null || needed.some((one) => inside(one, real))) continue;
    if (kind !== 'sockets' && (seen === 'all' || seen === kind)) found.listening.push(...(listens ? [real] : []));
    else ((await isDirectory(real)) ? found.folders : found.files).push(real);
  }
  return found;
}

/** Folders that programs name `sockets`, such as `.config/tool/sockets`. */
async function socketFoldersIn(home: string, below: string): Promise<readonly Omit<PrivatePlace, 'of'>[]> {
  const names = await readdir(path.posix.join(home, below)).catch(() => []);
  return names.map((name) => ({ below: path.posix.join(below, name, 'sockets'), kind: 'sockets' }));
}

/** Finds what tools sign in with near the top of a cache, such as `.cache/huggingface/token`. */
async function signInsIn(home: string, below: string, depth = 1): Promise<readonly Omit<PrivatePlace, 'of'>[]> {
  const entries = await readdir(path.posix.join(home, below), { withFileTypes: true }).catch(() => []);
  const found = entries.map(async (entry) => {
    const at = path.posix.join(below, entry.name);
    if (depth > 1 && hiddenSignIns.test(entry.name)) return [{ below: at, kind: 'secrets' as const }];
    return entry.isDirectory() && depth < signInDepth ? signInsIn(home, at, depth + 1) : [];
  });
  return (await Promise.all(found)).flat();
}

async function isDirectory(at: string): Promise<boolean> {
  return (await stat(at).catch(() => null))?.isDirectory() === true;
}

/** The resolved path of a folder; null: the folder does not exist. */
export async function folderOrNull(folder: string): Promise<string | null> {
  const real = await realpath(folder).catch(() => null);
  return real !== null && (await isDirectory(real)) ? real : null;
}

/** Returns whether a folder holds another hidden place, or a place that a mission or this user needs. */
export function holdsOthers(folder: string, { roots, shown, secret }: HiddenPlaces): boolean {
  return [...roots, ...shown, ...secret].some((one) => inside(one, folder));
}
