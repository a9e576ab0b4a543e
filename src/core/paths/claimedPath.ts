import { readPlace, type PathReading, type PlaceProblem } from './writtenPath';

/**
 * Where a path leads that a worker claims to have changed; POSIX, relative to the workspace root. Relative, or absolute
 * below one of the root's spellings; separators of Windows are read where the text shows that it comes from there.
 */
export function readClaimedPath(resource: string, roots: readonly string[]): PathReading<PlaceProblem> {
  const text = /^[A-Za-z]:[\\/]|^[^/]*\\/.test(resource) ? resource.replaceAll('\\', '/') : resource;
  for (const root of roots) {
    const folder = root.replaceAll('\\', '/').replace(/\/+$/, '');
    if (folder !== '' && text.startsWith(`${folder}/`)) return readPlace(text.slice(folder.length + 1));
  }
  return readPlace(text);
}
