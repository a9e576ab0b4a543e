/**
 * The path in the text by which a worker names a file. It lacks what Markdown, links and editors write around one:
 * backticks or quotes, `file://`, and the line at its end (`src/a.ts:12`, `src/a.ts#L12`).
 */
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
