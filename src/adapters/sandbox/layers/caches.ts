import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { cachePlaces, cacheVariables, type CachePlace } from '../../../contracts/vocabulary/files/caches';
import type { SandboxBoundary } from '../../../engine/ports/sandbox';
import { inside, type HomeMount, type LaunchUser, type Environment } from '../facts/facts';
import { makeLayer, turnFolder } from './layers';
import { statsOf } from '../../files/regular';
import { needsStore, storeVariables, type PnpmAsked } from '../places/pnpmStore';
import { walkFolders } from '../places/walkFolders';
import { trace, type Traced } from '../places/symlinkTrace';

/**
 * Returns where launches keep what they share. A launch must not run what another one with other rights, or of another
 * mission, has put into a cache; nor a check what a worker has. Removes what no launch used for a week.
 *
 * @param all the folder with what launches of the workspace keep
 */
export async function keptFolder(
  all: string,
  { env_names, shared }: NonNullable<SandboxBoundary['caches']>,
  { network, services }: Pick<SandboxBoundary, 'network' | 'services'>,
): Promise<string> {
  const { ports = [], sockets = [], devices = [] } = services ?? {};
  const parts = [[network], ports, sockets, devices, env_names];
  const rights = parts.map((part) => [...new Set(part.map(String))].sort());
  const own = path.posix.join(all, digest(JSON.stringify([shared.name, ...rights])));
  await turnFolder(own, { isFirst: shared.isFirst === true, unusedMs: 7 * 24 * 3_600_000 });
  return own;
}

export interface CacheOptions {
  readonly environment: Environment;
  readonly home: string | null;
  /** The folder of this launch for its layers. */
  readonly folder: string;
  /** What the launches that share its caches have kept. */
  readonly kept: string;
  /** Places that must stay as they are, apart from HOME; no layer lies around or in one. */
  readonly others: readonly string[];
  /** The folder that is a layer itself, where a mount needs no place on the disk; null: none is. */
  readonly layered: string | null;
  /** Returns whether the host's files at a place are hidden, because a tool then makes its folder there anyway. */
  readonly isHidden: (at: string) => boolean;
  readonly user: LaunchUser;
  /** Returns why no layer can lie over a folder; null: one can. */
  readonly whyNot: (over: string) => Promise<string | null>;
}

/**
 * Puts a fresh layer over each tool cache: above what earlier launches kept, which lies below what the person has. So
 * the person's own files count, and none of them changes.
 */
export async function findCaches(options: CacheOptions) {
  const places = placesOf(options).filter(
    ({ path: at }) => !options.isHidden(at) && !options.others.some((one) => inside(one, at) || inside(at, one)),
  );
  const hasPlace = ({ path: at, exists }: Traced): boolean =>
    exists || (options.layered !== null && inside(at, options.layered));
  const placeless = places.filter((one) => !hasPlace(one)).map(({ path: at }) => at);
  const notes = placeless.length > 0 ? [`Caches that are not there yet are read-only: ${placeless.join(', ')}.`] : [];
  const made = await Promise.all(places.filter(hasPlace).map((one) => makeCache(one, options)));
  const caches = made.filter((one) => one !== null);
  return {
    mounts: caches.map(({ mount }) => mount),
    caches: caches.map(({ mount }) => mount.at),
    notes: [...caches.flatMap(({ note }) => note ?? []), ...notes],
  };
}

/** Makes the layer of one cache; null: a file lies in its place. */
async function makeCache(
  { path: at, exists }: Traced,
  { folder, kept, whyNot, user }: CacheOptions,
): Promise<{ readonly mount: HomeMount; readonly note: string | null } | null> {
  if (exists && !isFolder(at)) return null;
  const [own, below] = [cacheFolder(folder, at), cacheFolder(kept, at)];
  const why = exists ? ((await whyNot(at)) ?? (await otherGroup(at, user))) : null;
  const lowers = [...(exists && why === null ? [at] : []), ...(isFolder(below) ? [below] : [])];
  const note = why === null ? null : `${at} begins without what you have in it: ${why}.`;
  if (lowers.length > 0) {
    await makeLayer(own, lowers);
    return { mount: { at, kind: 'layer', own, lowers, access: 'write' }, note };
  }
  const from = path.posix.join(own, 'up');
  await mkdir(from, { recursive: true, mode: 0o700 });
  return { mount: { at, kind: 'private', from }, note };
}

/**
 * Says which folder of a tree has another group than this user's first one; null: none was found. The kernel writes no
 * such folder through a layer of a plain user, because its namespace knows one group. Looks two levels deep, because a
 * look at everything would cost what the layer saves.
 */
export async function otherGroup(at: string, { uid, gid }: LaunchUser, depth = 2): Promise<string | null> {
  if (uid === 0) return null;
  const stats = await lstat(at).catch(() => null);
  if (!stats?.isDirectory()) return null;
  if (stats.uid === uid && stats.gid !== gid) return `${at} has another group than yours`;
  if (depth === 0) return null;
  for (const name of (await readdir(at).catch(() => [])).slice(0, entriesAtMost)) {
    const found = await otherGroup(path.posix.join(at, name), { uid, gid }, depth - 1);
    if (found !== null) return found;
  }
  return null;
}

const entriesAtMost = 300;

/**
 * Says which file or folder in places that a layer takes has an owner or group that it cannot keep; null: none was found.
 * A plain user's namespace has one of each, so the kernel ends a write to such a file with EOVERFLOW. Looks at all, as
 * the baseline does, because a worker whose writes fail looks as if it did nothing.
 */
export async function keptByNone(places: readonly string[], { uid, gid }: LaunchUser): Promise<string | null> {
  if (uid === 0) return null;
  let found: string | null = null;
  const groups = process.getgroups?.() ?? [];
  const look = (at: string): void => {
    const stats = statsOf(at);
    if (found !== null || stats === null || stats.isSymbolicLink()) return;
    const open = groups.includes(stats.gid) ? 0o022 : 0o002;
    const isOpen = stats.uid === uid || (stats.mode & open) !== 0;
    if (isOpen && (stats.uid !== uid || stats.gid !== gid)) found = `${at} has another owner or group than you`;
  };
  for (const place of places) look(place);
  await walkFolders(places, foldersAtMost, (at) => {
    look(at);
    return found !== null;
  });
  return found;
}

const foldersAtMost = 20_000;

/** Returns whether a place is a folder, and no link. */
function isFolder(at: string): boolean {
  return statsOf(at)?.isDirectory() === true;
}

/** Each place once, and none inside another. */
function placesOf(options: CacheOptions): readonly Traced[] {
  const written = cachePlaces.flatMap((place) => wanted(place, options));
  const traced = [...new Set(written)].map(trace);
  return traced.filter(
    ({ path: at }, index) =>
      !traced.some((other, place) => (other.path === at ? place < index : inside(at, other.path))),
  );
}

/** Returns both possible places, because a tool gets the variable only if the plan passes it. */
function wanted(
  { variable, below, otherwise, only }: CachePlace,
  { environment, home }: CacheOptions,
): readonly string[] {
  if (only !== undefined && only !== process.platform) return [];
  const named = variable === null ? undefined : environment[variable];
  return [
    ...(named?.startsWith('/') === true ? [path.posix.join(named, below)] : []),
    ...(home !== null && otherwise !== null ? [path.posix.join(home, otherwise)] : []),
  ];
}

/**
 * Returns variables that lead tools to empty folders, where no layer can be mounted. Launches share these as they would
 * share layers.
 */
export async function emptyCaches(folder: string, pnpm: PnpmAsked): Promise<Readonly<Record<string, string>>> {
  // One folder for the store of pnpm, by the names of all its releases.
  const stores = (await needsStore(pnpm)) ? storeVariables.map((name) => [name, 'pnpm-store'] as const) : [];
  const names = [...cacheVariables.map((name) => [name, name] as const), ...stores];
  const made = await Promise.all(
    names.map(async ([name, own]): Promise<readonly (readonly [string, string])[]> => {
      const at = path.posix.join(folder, own);
      await mkdir(at, { recursive: true, mode: 0o700 }).catch(() => undefined);
      return realpath(at).then(
        (real) => [[name, real]],
        () => [],
      );
    }),
  );
  return Object.fromEntries(made.flat());
}

/** The folder of a cache among those of a launch, or among what is kept. */
export function cacheFolder(folder: string, at: string): string {
  return path.posix.join(folder, `${path.posix.basename(at).slice(0, 40)}-${digest(at)}`);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
