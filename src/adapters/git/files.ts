import path from 'node:path';
import { errorCode, folderNames } from '../files/entry';
import { statsOf } from '../files/regular';

/** A fact about a repository that must not change during a mission. Objects, remote branches and logs are not facts. */
export interface GitFact {
  /** `<folder>/.git/<part>` as POSIX path relative to the workspace; a packed branch has the path of a loose one. */
  readonly path: string;
  readonly sha256: string;
  /** Its content where that is short: the commit of a branch, the mode of a hook. */
  readonly says: string;
  readonly changed_at: string;
}

/** Relative paths of everything below a folder except folders, and of folders that cannot be read, with the reason. */
export function thingsBelow(folder: string): readonly { readonly path: string; readonly problem: string | null }[] {
  const found: { path: string; problem: string | null }[] = [];
  const waiting = [''];
  for (let inner = waiting.pop(); inner !== undefined; inner = waiting.pop()) {
    const names = folderNamesOrCode(path.join(folder, inner));
    if (typeof names === 'string') {
      found.push({ path: inner, problem: names });
      continue;
    }
    for (const entry of names) {
      const relative = path.join(inner, entry.name);
      if (entry.isFolder) waiting.push(relative);
      else found.push({ path: relative, problem: null });
    }
  }
  return found;
}

export function filesBelow(folder: string): readonly string[] {
  return thingsBelow(folder).flatMap((found) => (found.problem === null ? [found.path] : []));
}

export function foldersIn(folder: string): readonly string[] {
  const names = folderNamesOrCode(folder);
  return typeof names === 'string' ? [] : names.filter((entry) => entry.isFolder).map((entry) => entry.name);
}

export function folderReadError(folder: string): string | null {
  const names = folderNamesOrCode(folder);
  return typeof names === 'string' ? names : null;
}

/** The names in a folder, empty if it is absent; an error code: it cannot be read. */
export function folderNamesOrCode(folder: string): ReturnType<typeof folderNames> | string {
  try {
    return folderNames(folder);
  } catch (error) {
    const code = errorCode(error);
    return ['ENOENT', 'ENOTDIR'].includes(code) ? [] : code;
  }
}

export function isThere(file: string): boolean {
  return statsOf(file) !== null;
}

/** Change time of a file, or of the nearest existing folder above it; ISO-8601. */
export function changeTime(file: string): string {
  const stats = statsOf(file);
  if (stats !== null) return isoOf(stats.ctimeMs);
  const above = path.dirname(file);
  return above === file ? isoOf(0) : changeTime(above);
}

/** Guards the conversion, because a file system may report a time beyond the range of Date. */
export function isoOf(milliseconds: number): string {
  const time = new Date(Math.floor(milliseconds));
  return Number.isNaN(time.getTime()) ? new Date(0).toISOString() : time.toISOString();
}
