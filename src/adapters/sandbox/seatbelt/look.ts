import { realpath, mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { SandboxBoundary } from '../../../engine/ports/sandbox';
import { homeFolder } from '../../system/machine';
import { findBoundary } from '../places/boundary';
import { emptyCaches, keptFolder } from '../layers/caches';
import { noHardLinks, type HomeMount, type PlaceFacts, type WritableFact, type Environment } from '../facts/facts';
import { findHardLinks } from '../links/findHardLinks';
import type { SeatbeltFacts } from './seatbelt';
import { leadingVariables } from '../bubblewrap/variables';
import type { HomeEntry, HomePlace } from '../../../workers/worker';
import { copyIn, folderOf, makeEntry, type HomeOptions } from '../places/home';

export interface SeatbeltOptions {
  /** The program sandbox-exec. */
  readonly program: string;
  readonly environment: Environment;
  readonly home?: string | null;
  readonly caches?: (workspace: string) => string;
}

/**
 * Looks at the disk for one boundary.
 *
 * @throws Error where workspace or run directory are not what they have to be; the file system's own errors.
 */
export async function lookForSeatbelt(boundary: SandboxBoundary, options: SeatbeltOptions): Promise<SeatbeltFacts> {
  const { program, environment } = options;
  const home = options.home === undefined ? homeFolder() : options.home;
  const { workspace, run, writable, sealed, absent, granted, nested, notes } = await findBoundary(boundary, home);
  const privateFolder = path.posix.join(run, 'work/home');
  const own = await findSeatbeltHome(boundary.home, { environment, home, privateFolder });
  const caches =
    boundary.caches !== undefined && options.caches !== undefined
      ? await emptyCaches(
          await keptFolder(path.posix.join(options.caches(workspace), 'empty'), boundary.caches, boundary),
          { environment, home, workspace, platform: 'darwin' },
        )
      : {};
  const places: PlaceFacts = {
    ...{ tmp: null, emptied: [], visible: [], links: [], sockets: [], kernel: [] },
    workspace,
    run,
    writable: await Promise.all(writable.map(asOnDisk)),
    sealed: [...new Set([...sealed, ...nested])],
    absent,
    granted: granted.flatMap(({ exists, path: at }) => (exists ? [at] : [])),
    home: [
      ...own.writable.map((at): HomeMount => ({ at, kind: 'write', from: at })),
      ...[...new Set(Object.values(caches))].map((at): HomeMount => ({ at, kind: 'private', from: at })),
    ],
    notes: [
      ...notes,
      ...own.notes,
      ...(boundary.network ? ['With a network, listeners on this machine that have no path can be reached.'] : []),
    ],
    hardLinks: noHardLinks,
  };
  return {
    program,
    network: boundary.network,
    variables: { TMPDIR: path.posix.join(run, 'work/tmp'), ...caches, ...own.variables },
    unset: leadingVariables(environment),
    places: { ...places, hardLinks: await findHardLinks(places) },
  };
}

/** Uses the spelling of the disk, because rules know a path by that. A person or a plan may spell it differently. */
async function asOnDisk(fact: WritableFact): Promise<WritableFact> {
  const at = await realpath(fact.path).catch(() => null);
  // A link counts as itself.
  if (at === null || at.toLowerCase().normalize() !== fact.path.toLowerCase().normalize()) return fact;
  return fact.kind === 'folder' ? { ...fact, path: at } : { ...fact, path: at, folder: path.posix.dirname(at) };
}

type Options = Pick<HomeOptions, 'environment' | 'home' | 'privateFolder'>;

/**
 * Prepares the folders of a CLI without mounts. A folder stays in its place if the launch only
 * writes entries that are kept. It stays there, because some CLIs find their sign-in in the
 * keychain by its path. Any other becomes a private folder with links to what is in the real one.
 * If no variable can lead the CLI there, the folder stays and a note says so.
 */
async function findSeatbeltHome(places: readonly HomePlace[], options: Options) {
  /** Real paths of entries that the CLI writes. */
  const writable: string[] = [];
  const notes: string[] = [];
  /** Variables that lead the CLI to its private folders. */
  const variables: Record<string, string> = {};
  for (const [index, place] of places.entries()) {
    const folder = folderOf(place, options);
    if (folder === null) {
      notes.push(`There is no home for ${place.otherwise}: the CLI finds no folder to write in.`);
      continue;
    }
    for (const entry of kept(place.entries)) {
      if (entry.kind === 'folder') await makeEntry(folder, entry);
      const real = await realpath(path.posix.join(folder, entry.path)).catch(() => null);
      if (real !== null) writable.push(real);
    }
    const { entries, variable } = place;
    if (entries.length > 0 && kept(entries).length === entries.length) continue;
    if (variable === null) {
      notes.push(`${folder} cannot be made private to the launch: the CLI writes only what is kept there.`);
      continue;
    }
    const own = path.posix.join(options.privateFolder, `${index}`);
    await fill(path.posix.join(own, place.below), folder, entries);
    // Other folders that the variable leads to, because programs other than the CLI have theirs there.
    const beside = place.below === '' ? null : path.posix.join(folder, ...place.below.split('/').map(() => '..'));
    if (beside !== null && beside !== options.home) await fill(own, beside, []);
    variables[variable] = own;
  }
  return { writable, variables, notes };
}

function kept(entries: readonly HomeEntry[]): readonly HomeEntry[] {
  return entries.filter(({ access }) => access === 'write');
}

/** Fills a private folder with links to everything in the real one, except what is copied or left out. */
async function fill(own: string, folder: string, entries: readonly HomeEntry[]): Promise<void> {
  await mkdir(own, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder).catch(() => [])) {
    const access = entries.find((one) => one.path === name)?.access;
    const [real, mine] = [path.posix.join(folder, name), path.posix.join(own, name)];
    if (access === 'absent') continue;
    else if (access === 'copy') await copyIn(real, mine);
    else await symlink(real, mine).catch(() => undefined); // there already: of a second launch line, or private
  }
}
