import { within, type PathComparison } from './compare';

/**
 * The POSIX path of a place below a folder, `.` for the folder itself, null elsewhere. Both are absolute, or relative
 * to the same place; `.` and `..` are resolved, and a Windows drive is the first segment.
 */
export function pathUnder(place: string, folder: string, comparison: PathComparison): string | null {
  if (place.startsWith('/') !== folder.startsWith('/')) return null;
  const inner = segmentsOf(place);
  const outer = segmentsOf(folder);
  if (outer.length > inner.length) return null;
  const same = outer.every((segment, index) => within(inner[index] ?? '', [segment], comparison));
  return same ? inner.slice(outer.length).join('/') || '.' : null;
}

/** The segments of a path, with `.` and `..` resolved. */
export function segmentsOf(path: string): readonly string[] {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') segments.pop();
    else segments.push(segment);
  }
  return segments;
}
