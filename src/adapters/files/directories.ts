import path from 'node:path';
import type { ModeChange } from '../../contracts/launchEvidence';
import { constants, type Stats } from 'node:fs';
import { access, chmod, lstat, realpath } from 'node:fs/promises';
import { done, errorWords, refused, valueOn } from '../../base/outcome';
import { makeFolder } from './makeFolder';
import type { Directories, OwnerBits } from '../../engine/ports/folders';

/** Directories of this machine. Modes are changed on POSIX systems only: Windows has none. */
export const directories: Directories = {
  async standing(directory) {
    const found = await statOf(directory);
    if (found === null) return 'missing';
    if (!found.isDirectory()) return 'other';
    return (await isUsable(directory, found)) ? 'usable' : 'unusable';
  },
  async create(directory) {
    try {
      await makeFolder(directory, 0o700);
      return done(null);
    } catch (error) {
      const reason = `${directory} cannot be created: ${errorWords(error)}.`;
      return refused('DIRECTORY_MISSING', reason, 'Look at that place, then retry the task.');
    }
  },
  async addOwnerBits(place, roots) {
    if (process.platform === 'win32') return untried('Windows has no permission bits.');
    let places: readonly string[];
    try {
      places = await placesToFix(place, roots);
    } catch (error) {
      return untried(`${errorWords(error)}.`);
    }
    return places.length === 0 ? untried('It lies elsewhere, so nothing was changed.') : added(places);
  },
};

/** Returns the existing part of the path and its parent, with links resolved, if they lie below a root. */
async function placesToFix(place: string, roots: readonly string[]): Promise<readonly string[]> {
  const allowed = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
  const isAllowed = (real: string): boolean => allowed.some((root) => real === root || real.startsWith(`${root}/`));
  let there = place;
  // Walks upwards, because a folder that cannot be searched hides its entries.
  while ((await statOf(there).catch(() => null)) === null && path.dirname(there) !== there) there = path.dirname(there);
  const real = await realpath(there);
  return [path.dirname(real), real].filter(isAllowed);
}

async function added(places: readonly string[]): Promise<OwnerBits> {
  const changes: ModeChange[] = [];
  let tried = false;
  try {
    for (const place of places) {
      const found = await lstat(place);
      const before = found.mode & 0o7777;
      const after = before | (found.isDirectory() ? 0o700 : 0o600);
      if (before === after || found.isSymbolicLink()) continue;
      tried = true;
      await chmod(place, after);
      changes.push({ path: place, before: octal(before), after: octal((await lstat(place)).mode & 0o7777) });
      if (!(await isUsable(place, await lstat(place))))
        return { changes, tried, problem: `${place} still cannot be used.` };
    }
  } catch (error) {
    return { changes, tried, problem: `${errorWords(error)}.` };
  }
  return tried ? { changes, tried, problem: null } : untried('Its owner may use it already, so nothing was changed.');
}

async function isUsable(place: string, found: Stats): Promise<boolean> {
  try {
    await access(place, constants.R_OK | constants.W_OK | (found.isDirectory() ? constants.X_OK : 0));
    return true;
  } catch {
    return false;
  }
}

function statOf(place: string): Promise<Stats | null> {
  return lstat(place).catch(valueOn(null, 'ENOENT', 'ENOTDIR'));
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}

function untried(problem: string): OwnerBits {
  return { changes: [], tried: false, problem };
}
