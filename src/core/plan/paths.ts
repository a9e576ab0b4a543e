import { reservedPaths } from '../../contracts/vocabulary/plan';

export type PathReading =
  { readonly ok: true; readonly path: string } | { readonly ok: false; readonly problem: string };

/**
 * The normal form of a path in a plan: POSIX, relative to the workspace root, no `.` segments, no trailing slash.
 * `problem` completes the sentence "<path> ...".
 */
export function readPlanPath(text: string): PathReading {
  if (text.length <= longest && plain.test(text))
    return { ok: true, path: text.endsWith('/') ? text.slice(0, -1) : text };
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
  return path.startsWith(scope) && (path.length === scope.length || path[scope.length] === '/');
}

/** The reserved folder a path lies in, or null. Case and trailing dots do not help it out: some file systems ignore them. */
export function reservedFolderOf(path: string): string | null {
  const found = reserved.exec(path);
  return found === null ? null : (reservedPaths.find((_, index) => found[index + 1] !== undefined) ?? null);
}

/** One group for each reserved folder. */
const reserved = new RegExp(
  `^(?:${reservedPaths
    .map((path) => path.split('/').map((segment) => segment.replaceAll('.', '\\.')))
    .map((segments) => `(${segments.join('[. ]*/')})`)
    .join('|')})[. ]*(?:/|$)`,
  'i',
);
const longest = 1024;
/** Nearly every path: nothing in it to judge or to change. */
const plain = /^\w[\w.-]*(?:\/\w[\w.-]*)*\/?$/;

function problemOf(text: string): string | null {
  if (text.trim() === '') return 'is empty; name a file or folder of the workspace';
  if (text.includes('\\')) return 'has a backslash; write it with forward slashes';
  if (/^[A-Za-z]:/.test(text)) return 'starts with a drive letter; make it relative to the workspace root';
  if (text.startsWith('/')) return 'is absolute; make it relative to the workspace root';
  if (text.startsWith('~')) return 'starts with ~, which is not expanded; make it relative to the workspace root';
  if (text.split('/').includes('..')) return 'leaves its folder with ..; write the path it ends at';
  if (/[*?!]|\{[^}]*,[^}]*\}/.test(text))
    return 'is a glob; name files and folders, a folder covers everything below it';
  if (/[\p{Cc}\p{Cf}]/u.test(text)) return 'has a control character or an invisible one; remove it';
  if (/(?:^|\/)[\w.-]{1,6}~\d+(?:[./]|$)/.test(text))
    return 'looks like a short name of Windows, which hides the real one; write the real name';
  if (text.length > longest) return 'is longer than 1024 characters; shorten it';
  return null;
}
