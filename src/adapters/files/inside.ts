import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { realpathSync } from 'node:fs';

/** The POSIX way from a folder to a place, as written. Empty: the folder itself. Null: it lies outside. */
export function wayInside(folder: string, place: string): string | null {
  const way = path.relative(folder, place);
  return way === '..' || way.startsWith(`..${path.sep}`) || path.isAbsolute(way) ? null : posix(way);
}

/** The same for people: `.` for the folder itself, an absolute path outside. */
export function shownFrom(folder: string, place: string): string {
  const way = wayInside(folder, place);
  return way === '' ? '.' : (way ?? posix(place));
}

export function posix(file: string): string {
  return file.split(path.sep).join('/');
}

/** Resolves the links of a path as far as it exists. */
export async function realPlace(place: string): Promise<string> {
  const found = await realpath(place).catch(() => null);
  const above = path.dirname(place);
  return found ?? (above === place ? place : path.join(await realPlace(above), path.basename(place)));
}

/**
 * Finds the real place of a workspace path (POSIX, relative), with links followed; `outside`: a link leads out.
 *
 * @param root absolute
 */
export async function placeInside(root: string, file: string): Promise<{ readonly path: string } | 'gone' | 'outside'> {
  const top = await realpath(root).catch(() => null);
  const real = top && (await realpath(path.join(top, ...file.split('/'))).catch(() => null));
  if (!top || !real) return 'gone';
  return real.startsWith(top + path.sep) ? { path: real } : 'outside';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns whether a path is one of the folders or lies in one, as written or with links resolved. */
export function liesIn(place: string, folders: readonly string[]): boolean {
  const spellings = (one: string): readonly string[] => [...new Set([path.resolve(one), resolved(path.resolve(one))])];
  const places = spellings(place);
  return folders.flatMap(spellings).some((folder) => places.some((one) => wayInside(folder, one) !== null));
}

/**
 * The environment with a search path that has neither these folders nor relative ones. A worker could put a program
 * there under a name that is started later (`npx` puts the workspace's `node_modules/.bin` first).
 */
export function searchOutside<T extends Environment>(environment: T, folders: readonly string[]): T {
  const changed: Record<string, string | undefined> = { ...environment };
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || !(process.platform === 'win32' ? /^path$/i : /^PATH$/).test(name)) continue;
    changed[name] = value
      .split(path.delimiter)
      .filter((folder) => path.isAbsolute(folder) && !liesIn(folder, folders))
      .join(path.delimiter);
  }
  return changed as T;
}

export function variablesOf(environment: Environment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

export function inPackages(folder: string): boolean {
  return folder.split(/[\\/]/).includes('node_modules');
}

/** The place with its links resolved; as it is where it is absent. */
export function realOf(place: string): string {
  try {
    return realpathSync(place);
  } catch {
    return place;
  }
}

function resolved(place: string): string {
  try {
    return realpathSync(place);
  } catch {
    const parent = path.dirname(place);
    return parent === place ? place : path.join(resolved(parent), path.basename(place)); // absent
  }
}
