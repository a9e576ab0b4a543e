import { reservedPaths } from '../../contracts/vocabulary/plan';

export type ReservedFolder = (typeof reservedPaths)[number];

/**
 * The reserved folder that a path lies in, in any spelling; null: none. `.git` and `.mission-control` count at every
 * depth, because repositories and workspaces can be nested.
 *
 * Ignores on every system what any file system ignores, because an approved plan may run on another
 * machine. That is case, Unicode form, invisible characters (HFS+), backslashes, trailing dots and
 * spaces, streams and short names (NTFS).
 */
export function reservedFolderOf(path: string): ReservedFolder | null {
  if (plain.test(path)) return null;
  const segments = path.split(/[\\/]/).map(forgivingKey);
  for (const folder of anywhere) if (segments.some((segment) => isNamed(segment, folder))) return folder;
  return (
    reservedPaths.find((folder) => folder.split('/').every((name, at) => isNamed(segments[at] ?? '', name))) ?? null
  );
}

const anywhere = ['.git', '.mission-control'] as const satisfies readonly ReservedFolder[];

/** Fast path for nearly every path: no name begins with a dot, and no file system reads it as another name. */
const plain = /^(?!docs)\w[\w.-]*(?:\/\w[\w.-]*)*$/i;

/** A segment without everything that some file system ignores. */
function forgivingKey(segment: string): string {
  return segment
    .normalize('NFC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '');
}

/** Also recognises Windows short names: `GIT~1` is `.git`. */
function isNamed(segment: string, name: string): boolean {
  if (segment === name) return true;
  const [, stem] = /^([^~]{1,6})~\d{1,6}$/.exec(segment) ?? [];
  return stem !== undefined && (name.startsWith('.') || name.length > 8) && stem === name.replace('.', '').slice(0, 6);
}
