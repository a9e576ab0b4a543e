import { lstat, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { valueOn } from '../../base/outcome';
import { makeFolder } from './makeFolder';

export type PlacedPath =
  | { readonly kind: 'path'; readonly absolute: string }
  | { readonly kind: 'refused'; readonly by: 'name' | 'no_folder'; readonly reason: string }
  /** `at`: the link, POSIX, relative to the root. */
  | { readonly kind: 'refused'; readonly by: 'link'; readonly at: string; readonly reason: string };

/**
 * Resolves a POSIX path relative to the workspace root; parts of it may be absent. Refuses one that leaves the
 * workspace, is not in normal form, or passes a link below the root.
 *
 * @throws the file system's own error other than ENOENT and ENOTDIR.
 */
export async function placeInWorkspace(workspaceRoot: string, relative: string): Promise<PlacedPath> {
  const parts = relative.split('/');
  const unusual = parts.find((part) => part === '' || part === '.' || part === '..' || hasForeignCharacter(part));
  if (unusual !== undefined)
    return { kind: 'refused', by: 'name', reason: `not a plain path inside the workspace: ${relative}` };
  let current = await realpath(workspaceRoot);
  for (const [index, part] of parts.entries()) {
    current = path.join(current, part);
    const stats = await lstat(current).catch(valueOn(null, 'ENOENT', 'ENOTDIR'));
    if (stats === null) return { kind: 'path', absolute: path.join(current, ...parts.slice(index + 1)) };
    if (stats.isSymbolicLink()) {
      const at = parts.slice(0, index + 1).join('/');
      return { kind: 'refused', by: 'link', at, reason: `${at} is a symbolic link` };
    }
    if (index < parts.length - 1 && !stats.isDirectory()) {
      return { kind: 'refused', by: 'no_folder', reason: `${parts.slice(0, index + 1).join('/')} is not a folder` };
    }
  }
  return { kind: 'path', absolute: current };
}

/** Names in a folder of the workspace, in order; none where it is not there or leads elsewhere. */
export async function namesInWorkspace(workspaceRoot: string, folder: string): Promise<readonly string[]> {
  const place = await placeInWorkspace(workspaceRoot, folder).catch(() => null);
  const names = place?.kind === 'path' ? await readdir(place.absolute).catch(() => []) : [];
  return names.sort((left, right) => (left < right ? -1 : 1));
}

/** Creates the folders above a placed path, then places it again, because a link may have replaced a new folder. */
export async function makeFoldersFor(workspaceRoot: string, relative: string, mode: number): Promise<PlacedPath> {
  const before = await placeInWorkspace(workspaceRoot, relative);
  if (before.kind === 'refused') return before;
  await makeFolder(path.dirname(before.absolute), mode);
  return placeInWorkspace(workspaceRoot, relative);
}

/** Says whether a part has a separator of Windows, which is legal elsewhere, or a NUL, which is legal nowhere. */
function hasForeignCharacter(part: string): boolean {
  return part.includes('\0') || (process.platform === 'win32' && /[\\:]/.test(part));
}
