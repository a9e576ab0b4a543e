import { copyFile, cp, lstat, mkdir, readdir, readlink, realpath, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { HomeEntry, HomePlace } from '../../../workers/worker';
import { statsOf } from '../../files/regular';
import { inside, type BoundMount, type Environment } from '../facts/facts';
import { trace } from './symlinkTrace';

export interface HomeOptions {
  readonly environment: Environment;
  readonly home: string | null;
  /** A folder of the run that gets one private folder for each place. */
  readonly privateFolder: string;
  /** Other mounted and hidden places; an entry of a home that holds one must be a mount as well. */
  readonly needed: readonly string[];
  /** Returns whether the host's files at a place are hidden, so that they need no cover. */
  readonly isHidden: (at: string) => boolean;
}

/** So many entries of a folder are mounted one by one; if there are more, they are links into a read-only view. */
const mostEntries = 300;

/** Makes the private folders of a launch that replace those of the CLI in the person's home. */
export async function findHome(places: readonly HomePlace[], options: HomeOptions) {
  const mounts = new Map<string, BoundMount>();
  const notes: string[] = [];
  for (const place of places) {
    const written = folderOf(place, options);
    if (written === null) {
      notes.push(`There is no home for ${place.otherwise}: the CLI finds no folder to write in.`);
      continue;
    }
    const said = await layer(written, place.entries, mounts, options);
    if (said !== null) notes.push(said);
  }
  return { mounts: [...mounts.values()], notes };
}

/** The folder in the person's home that a place means; null: there is no home. */
export function folderOf(
  { variable, below, otherwise }: HomePlace,
  { environment, home }: Pick<HomeOptions, 'environment' | 'home'>,
): string | null {
  const named = variable === null ? undefined : environment[variable];
  if (named?.startsWith('/') === true) return path.posix.join(named, below);
  return home === null ? null : path.posix.join(home, otherwise);
}

type Mounts = Map<string, BoundMount>;

async function layer(
  written: string,
  entries: readonly HomeEntry[],
  mounts: Mounts,
  options: HomeOptions,
): Promise<string | null> {
  for (const entry of entries) if (entry.access === 'write' && entry.kind === 'folder') await makeEntry(written, entry);
  const { path: at, exists } = trace(written);
  const own = path.posix.join(options.privateFolder, `${mounts.size}`);
  if (exists) {
    if (!(await lstat(at)).isDirectory()) return `${written} is no folder: the CLI cannot write there.`;
    await replace(at, own, entries, mounts, options);
    return null;
  }
  if (options.isHidden(at)) {
    // bubblewrap makes the mount point in the private folder for temporary files.
    await mkdir(own, { recursive: true, mode: 0o700 });
    mounts.set(at, { at, kind: 'write', from: own });
    return null;
  }
  // Nothing may be made in the real folder, so the nearest existing one above becomes private.
  const above = nearest(at);
  if (options.home === null || !inside(above, await realpath(options.home).catch(() => '/'))) {
    return `${written} is not there: the CLI cannot write there.`;
  }
  if (mounts.has(above)) {
    await mkdir(path.posix.join(mounts.get(above)?.from ?? own, path.posix.relative(above, at)), { recursive: true });
    return null;
  }
  await replace(above, own, [], mounts, options);
  await mkdir(path.posix.join(own, path.posix.relative(above, at)), { recursive: true, mode: 0o700 });
  return null;
}

/** Makes a folder that the CLI would make itself; it stays after the launch. */
export async function makeEntry(folder: string, entry: HomeEntry): Promise<void> {
  await mkdir(path.posix.join(folder, entry.path), { recursive: true, mode: 0o700 }).catch(() => undefined);
}

function nearest(at: string): string {
  for (let above = path.posix.dirname(at); ; above = path.posix.dirname(above)) {
    if (above === '/' || statsOf(above) !== null) return above;
  }
}

/** Puts `own` at the place of a folder; the folder's content stays readable in it. */
async function replace(
  at: string,
  own: string,
  entries: readonly HomeEntry[],
  mounts: Mounts,
  options: HomeOptions,
): Promise<void> {
  await mkdir(own, { recursive: true, mode: 0o700 });
  mounts.set(at, { at, kind: 'write', from: own });
  const listed = await readdir(at, { withFileTypes: true }).catch(() => []);
  const asLinks = listed.length > mostEntries;
  // Lies beside `own`, where the CLI looks for nothing.
  const view = `${own}.all`;
  if (asLinks) {
    await mkdir(view, { mode: 0o700, recursive: true });
    mounts.set(view, { at: view, kind: 'read', from: at });
  }
  for (const entry of listed) {
    const real = path.posix.join(at, entry.name);
    const mine = path.posix.join(own, entry.name);
    const exact = entries.find((one) => path.posix.normalize(one.path) === entry.name);
    const deeper = entries.flatMap((one) => below(one, entry.name));
    const isMounted =
      options.needed.some((place) => inside(place, real)) ||
      [...mounts.keys()].some((one) => one !== at && inside(one, real));
    if (exact?.access === 'absent') continue;
    else if (exact?.access === 'copy') await copyIn(real, mine);
    else if (entry.isSymbolicLink()) await putLink(real, mine, exact, mounts);
    else if (exact !== undefined) mounts.set(real, { at: real, kind: 'write', from: real });
    else if (deeper.length > 0 && entry.isDirectory()) await replace(real, mine, deeper, mounts, options);
    else if (!entry.isFile() && !entry.isDirectory()) continue;
    else if (asLinks && !isMounted) await symlink(path.posix.join(view, entry.name), mine).catch(existsAlready);
    else if (!mounts.has(real)) mounts.set(real, { at: real, kind: 'read', from: real });
  }
}

function below(entry: HomeEntry, name: string): readonly HomeEntry[] {
  const [first, ...rest] = path.posix.normalize(entry.path).split('/');
  return first === name && rest.length > 0 ? [{ ...entry, path: rest.join('/') }] : [];
}

/** Makes the same link; its target is writable if the entry is. */
async function putLink(real: string, mine: string, entry: HomeEntry | undefined, mounts: Mounts): Promise<void> {
  const target = await readlink(real);
  await symlink(target, mine).catch(existsAlready);
  const led = entry === undefined ? null : await realpath(real).catch(() => null);
  if (led !== null) mounts.set(led, { at: led, kind: 'write', from: led });
}

/** Copies a file or a folder, and leaves out what cannot be read. */
export async function copyIn(real: string, mine: string): Promise<void> {
  const stats = await lstat(await realpath(real).catch(() => real)).catch(() => null);
  if (stats?.isDirectory() === true) await cp(real, mine, { recursive: true, filter: plain }).catch(() => undefined);
  else if (stats?.isFile() === true) await copyFile(real, mine).catch(() => undefined); // not readable for the CLI either
}

async function plain(file: string): Promise<boolean> {
  const stats = await lstat(file);
  return stats.isFile() || stats.isDirectory() || stats.isSymbolicLink();
}

function existsAlready(): void {
  // A second launch line for the same run made it already.
}
