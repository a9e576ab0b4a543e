import { realpathSync } from 'node:fs';
import path from 'node:path';
import { wayInside } from './inside';

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
