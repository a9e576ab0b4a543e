import { readPlace, type PathReading, type PlaceProblem } from './writtenPath';

/**
 * Reads a path that a worker claims to have changed, as a POSIX path relative to the workspace
 * root. The claimed path is relative, or absolute below one of the `roots`. Backslashes are
 * separators when the text looks like a Windows path.
 */
export function readClaimedPath(resource: string, roots: readonly string[]): PathReading<PlaceProblem> {
  const text = /^[A-Za-z]:[\\/]|^[^/]*\\/.test(resource) ? resource.replaceAll('\\', '/') : resource;
  for (const root of roots) {
    const folder = root.replaceAll('\\', '/').replace(/\/+$/, '');
    if (folder !== '' && text.startsWith(`${folder}/`)) return readPlace(text.slice(folder.length + 1));
  }
  return readPlace(text);
}
