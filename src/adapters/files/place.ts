import { lstat, readdir, realpath, readlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { valueOn, errorCode, errorWords } from '../../base/outcome';
import { makeFolder } from './makeFolder';
import type { Stats } from 'node:fs';
import { openFile, readAtMost } from './opened';

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

export type WorkspaceFile =
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly mode: number }
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Bytes; our documents are far smaller. */
const documentBytes = 256 * 1024 * 1024;

/**
 * Reads a regular file of the workspace, never through a symbolic link and never outside. Checks
 * the folders above it before the open, and afterwards against the opened file. So a folder that is
 * swapped meanwhile leads nowhere. Never rejects.
 */
export async function readWorkspaceFile(
  workspaceRoot: string,
  relative: string,
  limit: number = documentBytes,
): Promise<WorkspaceFile> {
  try {
    // Retries, because an editor or a tool may replace the file right now.
    for (let tries = 0; tries < 3; tries += 1) {
      const read = await readPlaced(workspaceRoot, relative, limit);
      if (read !== null) return read;
    }
    return { kind: 'refused', reason: `${relative} was replaced while it was opened` };
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return { kind: 'none' };
    return { kind: 'unreadable', reason: errorWords(error) };
  }
}

/** Null: the opened file is not the one at that path. */
async function readPlaced(workspaceRoot: string, relative: string, limit: number): Promise<WorkspaceFile | null> {
  const place = await placeInWorkspace(workspaceRoot, relative);
  if (place.kind === 'refused') return place;
  const opened = await openFile(place.absolute);
  if (opened.kind === 'absent') return { kind: 'none' };
  if (opened.kind === 'irregular') return { kind: 'refused', reason: `${relative} is not a file` };
  const { handle, stats } = opened;
  try {
    if (!(await isAt(workspaceRoot, relative, { ...opened, ...place }))) return null;
    const bytes = await readAtMost(handle, limit, stats.size);
    return bytes === null
      ? { kind: 'unreadable', reason: `${relative} is larger than ${sizeWords(limit)}` }
      : { kind: 'file', bytes, mode: stats.mode };
  } finally {
    await handle.close();
  }
}

function sizeWords(bytes: number): string {
  const kilobytes = Math.floor(bytes / 1024);
  return kilobytes < 1024 ? `${kilobytes} KB` : `${Math.floor(kilobytes / 1024)} MB`;
}

/**
 * Returns whether the open file lies at its path, and not where a link above it led for a moment. Linux reports the
 * path of an open file. Elsewhere the path is walked once more and has to end at the same file. Limit: there, a folder
 * that is swapped several times during the walk can still deceive it.
 */
async function isAt(
  workspaceRoot: string,
  relative: string,
  { absolute, handle, stats }: { readonly absolute: string; readonly handle: FileHandle; readonly stats: Stats },
): Promise<boolean> {
  const really = process.platform === 'linux' ? await readlink(`/proc/self/fd/${handle.fd}`).catch(() => null) : null;
  if (really !== null) {
    // Ignores a replacement since the open, and case: an open file keeps the spelling by which it was looked up.
    const name = (file: string): string => file.normalize('NFC').toLowerCase();
    return name(really.replace(/ \(deleted\)$/, '')) === name(absolute);
  }
  const place = await placeInWorkspace(workspaceRoot, relative);
  if (place.kind === 'refused') return false;
  const now = await lstat(place.absolute).catch(() => null);
  return now?.ino === stats.ino && now.dev === stats.dev;
}
