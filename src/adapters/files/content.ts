import { chmod, lstat, mkdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gitMode } from '../../base/fileState';
import { valueOn } from '../../base/outcome';
import { readWorkspaceFile, placeInWorkspace } from './place';

/** A file or a link, reduced to what git keeps of it, because a patch can hold no more. */
export interface Content {
  readonly mode: '100644' | '100755' | '120000';
  readonly bytes: Buffer;
}

/** Bytes. Larger files are not read, because the limit of a patch is far lower. */
const largestBytes = 1024 * 1024 * 1024;

/** Returns the content at a path below a folder; null: nothing is there; a sentence: a patch cannot hold it. */
export async function contentAt(root: string, name: string, largest = largestBytes): Promise<Content | null | string> {
  const parent = path.posix.dirname(name);
  if (parent !== '.') {
    const place = await placeInWorkspace(root, parent);
    if (place.kind === 'refused') return place.reason;
  }
  const place = await placeInWorkspace(root, name);
  const absolute = path.join(root, ...name.split('/'));
  const stats = await lstat(absolute).catch(valueOn(null, 'ENOENT', 'ENOTDIR'));
  if (stats?.isSymbolicLink() === true) return { mode: '120000', bytes: Buffer.from(await readlink(absolute)) };
  if (place.kind === 'refused') return place.reason;
  if (stats === null) return null;
  if (!stats.isFile()) return 'it is no regular file';
  const file = await readWorkspaceFile(root, name, largest);
  if (file.kind === 'none') return null;
  if (file.kind !== 'file') return file.reason;
  const mode = `100${gitMode(file.mode.toString(8))}`;
  return mode === '100644' || mode === '100755' ? { mode, bytes: file.bytes } : 'its mode sets the user or the group';
}

/** Replaces what is at the path with the content; null deletes it. */
export async function putContent(file: string, content: Content | null): Promise<void> {
  await rm(file, { force: true });
  if (content === null) return;
  await mkdir(path.dirname(file), { recursive: true });
  if (content.mode === '120000') return symlink(content.bytes.toString('utf8'), file);
  await writeFile(file, content.bytes);
  await chmod(file, content.mode === '100755' ? 0o755 : 0o644);
}

export function sameContent(left: Content | null, right: Content | null): boolean {
  if (left === null || right === null) return left === right;
  return left.mode === right.mode && left.bytes.equals(right.bytes);
}
