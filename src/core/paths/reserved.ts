import { reservedPaths } from '../../contracts/vocabulary/plan';

export type ReservedFolder = (typeof reservedPaths)[number];

/**
 * The folder that no task may write in which the path lies, whatever the path is spelled like; null when it lies in
 * none. `.git` and `.mission-control` count at every depth: repositories and workspaces lie within each other.
 *
 * Judged as the most forgiving file system would read it, on every system, because a plan that was approved on one
 * machine runs on another: case, Unicode form, invisible characters (HFS+), backslashes, trailing dots and spaces,
 * streams and short names (NTFS) make no other place of it.
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

/** Nearly every path: no name in it begins with a dot, nothing in it is ignored or shortened anywhere. */
const plain = /^(?!docs)\w[\w.-]*(?:\/\w[\w.-]*)*$/i;

/** One segment in the only spelling left when everything that some file system ignores is taken off. */
function forgivingKey(segment: string): string {
  return segment
    .normalize('NFC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '');
}

/** Windows makes `GIT~1` of `.git`: the first six letters that a short name may hold, and a number. */
function isNamed(segment: string, name: string): boolean {
  if (segment === name) return true;
  const [, stem] = /^([^~]{1,6})~\d{1,6}$/.exec(segment) ?? [];
  return stem !== undefined && (name.startsWith('.') || name.length > 8) && stem === name.replace('.', '').slice(0, 6);
}
