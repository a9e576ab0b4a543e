import { reservedPaths } from '../../contracts/vocabulary/plan';

export type PathReading = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly problem: string };

/**
 * The normal form of a path in a plan: POSIX, relative to the workspace root, no `.` segments, no trailing slash.
 * `problem` completes the sentence "<path> ...".
 */
export function readPlanPath(text: string): PathReading {
  const problem = problemOf(text);
  if (problem !== null) return { ok: false, problem };
  const path = text
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/');
  return path === ''
    ? { ok: false, problem: 'means the whole workspace; name the files and folders the task needs' }
    : { ok: true, path };
}

/** True when `path` is `scope` or lies below it; both in normal form, case counts. */
export function pathContains(scope: string, path: string): boolean {
  return path === scope || path.startsWith(`${scope}/`);
}

export function pathsOverlap(a: string, b: string): boolean {
  return pathContains(a, b) || pathContains(b, a);
}

/** The reserved folder a path lies in, or null. Case and trailing dots do not help it out: some file systems ignore them. */
export function reservedFolderOf(path: string): string | null {
  const key = pathKey(path);
  return reservedPaths.find((reserved) => pathContains(reserved, key)) ?? null;
}

/** Two paths with the same key are the same file on some file system. */
export function pathKey(path: string): string {
  return path
    .normalize('NFC')
    .toLowerCase()
    .split('/')
    .map((segment) => segment.replace(/[. ]+$/, '') || segment)
    .join('/');
}

function problemOf(text: string): string | null {
  if (text.trim() === '') return 'is empty; name a file or folder of the workspace';
  if (text.includes('\\')) return 'has a backslash; write it with forward slashes';
  if (/^[A-Za-z]:/.test(text)) return 'starts with a drive letter; make it relative to the workspace root';
  if (text.startsWith('/')) return 'is absolute; make it relative to the workspace root';
  if (text.startsWith('~')) return 'starts with ~, which is not expanded; make it relative to the workspace root';
  if (text.split('/').includes('..')) return 'leaves its folder with ..; write the path it ends at';
  if (/[*?!]|\{[^}]*,[^}]*\}/.test(text)) return 'is a glob; name files and folders, a folder covers everything below it';
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'has a control character; remove it';
  if (text.length > 1024) return 'is longer than 1024 characters';
  return null;
}
