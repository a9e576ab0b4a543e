import { within, type PathComparison } from './compare';

/**
 * The POSIX path of a place under a folder, `.` for the folder itself, null elsewhere. Both are absolute, or relative to
 * the same place; `.` and `..` are worked out, a drive of Windows is the first name.
 */
export function pathUnder(place: string, folder: string, comparison: PathComparison): string | null {
  if (place.startsWith('/') !== folder.startsWith('/')) return null;
  const inner = segmentsOf(place);
  const outer = segmentsOf(folder);
  if (outer.length > inner.length) return null;
  const same = outer.every((segment, index) => within(inner[index] ?? '', [segment], comparison));
  return same ? inner.slice(outer.length).join('/') || '.' : null;
}

/** The names on the way, with `.` and `..` worked out. */
export function segmentsOf(path: string): readonly string[] {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') segments.pop();
    else segments.push(segment);
  }
  return segments;
}
