import { mkdir, readdir, realpath, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { HomeEntry, HomePlace } from '../../../workers/worker';
import { copyIn, folderOf, makeEntry, type HomeOptions } from '../places/home';

export interface SeatbeltHome {
  /** Real paths of entries that the CLI writes. */
  readonly writable: readonly string[];
  /** Variables that lead the CLI to its private folders. */
  readonly variables: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

type Options = Pick<HomeOptions, 'environment' | 'home' | 'privateFolder'>;

/**
 * Prepares the folders of a CLI without mounts. A folder stays in its place if the launch only
 * writes entries that are kept. It stays there, because some CLIs find their sign-in in the
 * keychain by its path. Any other becomes a private folder with links to what is in the real one.
 * If no variable can lead the CLI there, the folder stays and a note says so.
 */
export async function findSeatbeltHome(places: readonly HomePlace[], options: Options): Promise<SeatbeltHome> {
  const writable: string[] = [];
  const notes: string[] = [];
  const variables: Record<string, string> = {};
  for (const [index, place] of places.entries()) {
    const folder = folderOf(place, options);
    if (folder === null) {
      notes.push(`There is no home for ${place.otherwise}: the CLI finds no folder to write in.`);
      continue;
    }
    for (const entry of kept(place.entries)) if (entry.kind === 'folder') await makeEntry(folder, entry);
    for (const entry of kept(place.entries)) writable.push(...(await realPath(path.posix.join(folder, entry.path))));
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

async function realPath(at: string): Promise<readonly string[]> {
  return realpath(at).then(
    (real) => [real],
    () => [],
  );
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
