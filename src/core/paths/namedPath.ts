import { readPlace, type PathReading, type PlaceProblem } from './writtenPath';

/** Without what Markdown, links and editors write around it: quotes, `file://`, a line (`src/a.ts:12`, `#L12`). */
export function namedPath(resource: string, form: 'posix' | 'windows'): string {
  const bare = resource.trim().replace(/^(`{1,3}|["'])([^`"'\n]+)\1$/, '$2');
  return fileUrlPath(bare.trim(), form).replace(/(?<=[^/\\:])(?:#L\d+(?:-L?\d+)?|:\d+(?:[:-]\d+){0,3})$/, '');
}

/** The path of a `file://` URL; another text is taken as it is. */
export function fileUrlPath(text: string, form: 'posix' | 'windows'): string {
  if (!text.startsWith('file://')) return text;
  const path = text.slice('file://'.length);
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // Not valid percent-encoding: taken literally.
    decoded = path;
  }
  return form === 'windows' ? decoded.replace(/^\/(?=[A-Za-z]:)/, '') : decoded;
}

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
