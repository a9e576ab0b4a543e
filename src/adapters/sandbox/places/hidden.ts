import type { Stats } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { secretSpans } from '../../../base/text/secretSpans';
import {
  cachePlaces,
  hiddenSignIns,
  settingsWithTokens,
  signInDepth,
} from '../../../contracts/vocabulary/files/caches';
import { privatePlaces, type PrivatePlace, type SecretsSeen } from '../../../contracts/vocabulary/files/privatePlaces';
import { secretPatterns } from '../../../contracts/vocabulary/files/secretPatterns';
import type { SandboxBoundary } from '../../../engine/ports/sandbox';
import { statsOf } from '../../files/regular';
import { inside, type Environment } from '../facts/facts';

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
export async function socketFolders(environment: Environment, needed: readonly string[]): Promise<readonly string[]> {
  const session = environment['XDG_RUNTIME_DIR'];
  const wanted = ['/run', '/var/run', '/mnt/wslg', ...(session?.startsWith('/') === true ? [session] : [])];
  const real = await Promise.all(wanted.map(folderOrNull));
  const found = [...new Set(real.flatMap((one) => (one === null || one === '/' ? [] : [one])))];
  const outer = found.filter((one) => !found.some((other) => other !== one && inside(one, other)));
  // Checks it, because the session's folder may be any folder.
  return outer.filter((one) => one === '/run' || !needed.some((place) => inside(place, one)));
}

export interface PrivateAsked {
  readonly seen: SecretsSeen;
  /** Places that stay, with what holds them, such as the workspace. */
  readonly needed: readonly string[];
  /** Returns whether a place stays because the agent of the launch signs in by it. */
  readonly isOwn: (at: string) => boolean;
}

/**
 * Finds the private places of HOME that a launch does not see, resolved: those of the table, and single files that their
 * owner closed because of a key in them. `listening`: folders that it sees and that programs listen in. `complete` is
 * false if HOME has more entries than the search for keys looks at.
 */
export async function findPrivate(home: string | null, { seen, needed, isOwn }: PrivateAsked) {
  const found = { folders: [] as string[], files: [] as string[], listening: [] as string[], complete: true };
  if (home === null) return found;
  const kept: string[] = [];
  const named: readonly Omit<PrivatePlace, 'of'>[] = [
    ...privatePlaces,
    ...(await socketFoldersIn(home, '.config')),
    ...(await signInsIn(home, '.cache')),
  ];
  for (const { below, kind, listens } of named) {
    const real = await realpath(path.posix.join(home, below)).catch(() => null);
    if (real === null || needed.some((one) => inside(one, real))) continue;
    if (kind !== 'sockets' && (seen === 'all' || seen === kind)) {
      kept.push(real);
      found.listening.push(...(listens ? [real] : []));
    } else ((await isDirectory(real)) ? found.folders : found.files).push(real);
  }
  const real = await folderOrNull(home);
  if (seen === 'all' || real === null) return found;
  const passed = [...needed.filter((one) => one !== real && one !== home), ...kept, ...found.folders, ...found.files];
  const closed = await findClosedKeys(real, (at) => isOwn(at) || passed.some((one) => inside(at, one)));
  return { ...found, files: [...found.files, ...closed.files], complete: closed.complete };
}

/**
 * Returns what an agent signs in by: places whose names begin as its own folder does, such as `~/.agent.json` beside
 * `~/.agent`, and files that a variable names.
 */
export function signInsOf(
  { secrets, home }: Pick<SandboxBoundary, 'secrets' | 'home'>,
  environment: Environment,
): PrivateAsked['isOwn'] {
  if (secrets !== 'provider') return () => false;
  const names = home.map(({ otherwise }) => path.posix.basename(otherwise));
  const named = new Set(Object.values(environment));
  return (at) => named.has(at) || names.some((name) => path.posix.basename(at).startsWith(name));
}

/**
 * Finds files of HOME and of its dot folders that hold a secret and that only their owner may read. Either fact alone
 * misleads: a program may write plain settings through a temporary file, which is closed, and an example has an open key.
 *
 * @param isLeftOut says of a place that the search does not look there
 */
async function findClosedKeys(home: string, isLeftOut: (at: string) => boolean) {
  const before = looks.get(home);
  const look: HomeLook = { folders: new Map(), files: new Map() };
  looks.set(home, look);
  const files: string[] = [];
  let left = mostEntries;
  let folders = [{ place: '', depth: deepest }];
  while (folders.length > 0) {
    const below: typeof folders = [];
    for (const { place, depth } of folders) {
      const folder = path.posix.join(home, place);
      const isWanted = (name: string): boolean =>
        !caches.has(path.posix.join(place, name)) && !isLeftOut(path.posix.join(folder, name));
      const known = before?.folders.get(place);
      const listed = known && isListed(folder, known) ? known : await listOf(folder);
      look.folders.set(place, listed);
      if (listed.entries > left) return { files, complete: false };
      left -= listed.entries;
      if (depth > 0)
        for (const name of listed.folders) {
          const inHome = path.posix.join(place, name);
          if ((place !== '' || name.startsWith('.')) && isWanted(name))
            below.push({ place: inHome, depth: containers.has(inHome) ? depth : depth - 1 });
        }
      for (const name of listed.closed) {
        const at = path.posix.join(folder, name);
        const stats = closedFile(at);
        if (stats === null || !isWanted(name)) continue;
        const read = before?.files.get(at);
        const file = read?.changed === stats.ctimeMs ? read : await readFor(at, stats.ctimeMs);
        look.files.set(at, file);
        if (file.holdsKey) files.push(at);
      }
    }
    folders = below;
  }
  return { files, complete: true };
}

/** The last look at a HOME, because each launch looks, and hardly any folder there changes between two of them. */
interface HomeLook {
  /** By their places below HOME. */
  readonly folders: Map<string, ListedFolder>;
  readonly files: Map<string, ClosedFile>;
}

interface ListedFolder {
  /** Milliseconds of the clock. */
  readonly listed: number;
  /** Its own time of change; NaN: it changed so lately that it may have changed again at the same time. */
  readonly changed: number;
  readonly entries: number;
  readonly folders: readonly string[];
  /** The files that only their owner may read. */
  readonly closed: readonly string[];
}

interface ClosedFile {
  readonly changed: number;
  readonly holdsKey: boolean;
}

const looks = new Map<string, HomeLook>();
/** A file may be closed while its folder stays as it was, so no list counts for longer. */
const listCountsMs = 60_000;
/** File systems keep times in steps. */
const stepMs = 1000;

function isListed(folder: string, { listed, changed }: ListedFolder): boolean {
  return Date.now() - listed < listCountsMs && statsOf(folder)?.mtimeMs === changed;
}

async function listOf(folder: string): Promise<ListedFolder> {
  const listed = Date.now();
  const changed = settled(statsOf(folder)?.mtimeMs ?? Number.NaN);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const isClosed = (name: string): boolean => closedFile(path.posix.join(folder, name)) !== null;
  return {
    ...{ listed, changed, entries: entries.length },
    folders: entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])),
    closed: entries.flatMap((entry) =>
      entry.isFile() && !settingsWithTokens.test(entry.name) && isClosed(entry.name) ? [entry.name] : [],
    ),
  };
}

async function readFor(at: string, changed: number): Promise<ClosedFile> {
  // What is gone, or what this user cannot read, a launch cannot read either.
  const text = await readFile(at, 'latin1').catch(() => '');
  return { changed: settled(changed), holdsKey: secretSpans(text, secretPatterns).length > 0 };
}

function settled(changed: number): number {
  return Date.now() - changed > stepMs ? changed : Number.NaN;
}

// Looks without a promise, because one for each of thousands of files takes ten times as long.
function closedFile(at: string): Stats | null {
  const stats = statsOf(at);
  return stats !== null && (stats.mode & 0o077) === 0 && stats.size <= mostBytes ? stats : null;
}

/** Folders below a dot folder, such as `.tool/sub/sub`; those of a container count from it. */
const deepest = 3;
const mostEntries = 10_000;
/** A file of keys is short. */
const mostBytes = 65_536;
const containers: ReadonlySet<string> = new Set(['.config', '.local', '.local/share', '.local/state']);
const caches: ReadonlySet<string> = new Set(cachePlaces.flatMap(({ otherwise }) => otherwise ?? []));

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
