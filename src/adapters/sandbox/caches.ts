import { createHash } from 'node:crypto';
import { lstat, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { cachePlaces, type CachePlace } from '../../contracts/vocabulary/caches';
import { errorMessage } from '../../base/outcome';
import { fillLayer } from './cacheLayer';
import { inside, type HomeMount } from './facts';
import { trace, type Traced } from './resolve';
import { standIn } from './standIn';

export interface CacheOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string | null;
  /** The folder that keeps the layers of this workspace. */
  readonly folder: string;
  /** A folder of the run for stand-ins; a folder that lacks a cache gets one. */
  readonly privateFolder: string;
  /** Places that must stay as they are, apart from HOME; no layer lies around or in one. */
  readonly kept: readonly string[];
  /** Returns whether the host's files at a place are hidden, because a tool then makes its folder there anyway. */
  readonly isHidden: (at: string) => boolean;
}

export interface Caches {
  readonly mounts: readonly HomeMount[];
  readonly notes: readonly string[];
}

/**
 * Finds the tool caches as layers that a launch writes: each shows what the person's has, and the person's stays
 * unchanged. A folder of HOME that lacks a cache gets a read-only stand-in with a place for it.
 */
export async function findCaches(options: CacheOptions): Promise<Caches> {
  const mounts: HomeMount[] = [];
  const notes: string[] = [];
  const missing = new Map<string, string[]>();
  try {
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    for (const { path: at, exists } of await placesOf(options)) {
      if (options.isHidden(at) || options.kept.some((one) => inside(one, at) || inside(at, one))) continue;
      if (exists && (await lstat(at)).isDirectory()) {
        const name = cacheName(at);
        const [own, view] = [path.posix.join(options.folder, name), path.posix.join(options.folder, 'view', name)];
        await mkdir(own, { recursive: true, mode: 0o700 });
        if (!(await fillLayer({ from: at, own, view })))
          notes.push(`${at} is large: what lies deep in it is read-only.`);
        mounts.push({ at, kind: 'layer', from: own }, { at: view, kind: 'view', from: at });
      } else if (!exists) {
        const above = await nearest(at);
        missing.set(above, [...(missing.get(above) ?? []), at]);
      }
    }
    // Sorts by length, because an entry of a stand-in may hold a deeper stand-in, which must be mounted later.
    const stands: HomeMount[] = [];
    for (const above of [...missing.keys()].sort((one, other) => one.length - other.length))
      stands.push(...(await stand(above, missing.get(above) ?? [], options)));
    return { mounts: [...stands, ...mounts], notes };
  } catch (error) {
    notes.push(`Caches of tools are read-only, because no private ones can be made: ${errorMessage(error)}.`);
    return { mounts: [], notes };
  }
}

/** Each place once, and none inside another. */
async function placesOf(options: CacheOptions): Promise<readonly Traced[]> {
  const written = cachePlaces.flatMap((place) => wanted(place, options));
  const traced = await Promise.all([...new Set(written)].map(trace));
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

/** Makes a stand-in, only in HOME and in no folder that a mission works in. */
async function stand(above: string, places: readonly string[], options: CacheOptions): Promise<readonly HomeMount[]> {
  const home = options.home === null ? null : (await trace(options.home)).path;
  if (home === null || !inside(above, home) || options.kept.some((one) => inside(above, one))) return [];
  const stood = await standIn(above, places, path.posix.join(options.privateFolder, cacheName(above)));
  if (stood === null) return [];
  const layers = await Promise.all(
    places.map(async (at): Promise<HomeMount> => {
      const own = path.posix.join(options.folder, cacheName(at));
      await mkdir(own, { recursive: true, mode: 0o700 });
      return { at, kind: 'layer', from: own };
    }),
  );
  return [...stood, ...layers];
}

async function nearest(at: string): Promise<string> {
  for (let above = path.posix.dirname(at); ; above = path.posix.dirname(above)) {
    if (above === '/' || (await lstat(above).catch(() => null)) !== null) return above;
  }
}

function cacheName(at: string): string {
  return `${path.posix.basename(at).slice(0, 40)}-${createHash('sha256').update(at).digest('hex').slice(0, 12)}`;
}
