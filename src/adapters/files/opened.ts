import { constants, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { errorCode } from '../../base/outcome';
import path from 'node:path';

export type NoFile =
  | { readonly kind: 'absent' }
  | { readonly kind: 'irregular'; readonly what: 'link' | 'folder' | 'special' };
export type OpenedFile = { readonly kind: 'opened'; readonly handle: FileHandle; readonly stats: Stats } | NoFile;
export type FileContent =
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly stats: Stats }
  | { readonly kind: 'too_large' }
  | NoFile;

export interface OpenOptions {
  /** Follows a link at the end of the path; only for a file that a person named. Default: false. */
  readonly follow?: boolean;
}

/**
 * Opens, once, a file that another process may swap meanwhile. Follows no link and waits for no pipe. The open handle
 * decides, whatever the path leads to before or after. The caller closes the handle.
 *
 * @throws the file system's own error, unless the path is absent or no file.
 */
export async function openFile(file: string, { follow = false }: OpenOptions = {}): Promise<OpenedFile> {
  let handle: FileHandle;
  try {
    handle = await open(file, follow ? flags : flags | noFollow);
  } catch (error) {
    const found = noFile(errorCode(error), follow);
    if (found === null) throw error;
    return found;
  }
  try {
    const stats = await handle.stat();
    if (stats.isFile()) return { kind: 'opened', handle, stats };
    await handle.close();
    return { kind: 'irregular', what: stats.isDirectory() ? 'folder' : 'special' };
  } catch (error) {
    await handle.close().catch(() => undefined); // report the first error
    throw error;
  }
}

export async function readOnce(file: string, limit: number, options: OpenOptions = {}): Promise<FileContent> {
  const opened = await openFile(file, options);
  if (opened.kind !== 'opened') return opened;
  const { handle, stats } = opened;
  try {
    const bytes = await readAtMost(handle, limit, stats.size);
    return bytes === null ? { kind: 'too_large' } : { kind: 'file', bytes, stats };
  } finally {
    await handle.close();
  }
}

/**
 * Opens a file and reads at most `length` bytes of it from a place; a negative one counts from the end. Null: the path is
 * no file. @throws as `openFile`
 */
export async function readPart(
  file: string,
  length: number,
  from: number,
  options: OpenOptions = {},
): Promise<{ readonly bytes: Buffer; readonly size: number } | null> {
  const opened = await openFile(file, options);
  if (opened.kind !== 'opened') return null;
  const { handle, stats } = opened;
  try {
    const place = from < 0 ? Math.max(0, stats.size + from) : from;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, place);
    return { bytes: buffer.subarray(0, bytesRead), size: stats.size };
  } finally {
    await handle.close();
  }
}

/** Null: the file has more than `limit` bytes. `size` is a guess, because the file may grow or be one of the kernel. */
export async function readAtMost(handle: FileHandle, limit: number, size: number): Promise<Buffer | null> {
  if (size > limit) return null;
  let buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    if (length === buffer.length) {
      if (length > limit) return null;
      buffer = Buffer.concat([buffer], Math.min(limit + 1, Math.max(65_536, buffer.length * 2)));
    }
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
  }
}

/** Windows has neither flag: there both are undefined and add nothing. A link there needs rights that a worker seldom has. */
const { O_NOFOLLOW: noFollow, O_NONBLOCK: noWait, O_RDONLY } = constants;
const flags = O_RDONLY | noWait;
/** For `open`: neither follows a link nor waits for a pipe that took the place of a file. */
export const guardedReading = flags | noFollow;

function noFile(code: string | null, follow: boolean): NoFile | null {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return { kind: 'absent' };
    case 'ELOOP':
    case 'EMLINK': // FreeBSD
      return follow ? null : { kind: 'irregular', what: 'link' };
    case 'EISDIR':
      return { kind: 'irregular', what: 'folder' };
    case 'ENXIO': // a socket, or a device without a driver
      return { kind: 'irregular', what: 'special' };
    default:
      return null;
  }
}

/** The whole `.gitignore` of each folder of ours: git ignores everything in it, this file as well. */
export const ignoreAll = '*\n';

/** Returns whether a folder has exactly our `.gitignore`. @throws the file system's own error. */
export async function ignoresAll(folder: string): Promise<boolean> {
  const found = await readOnce(path.join(folder, '.gitignore'), Buffer.byteLength(ignoreAll));
  return found.kind === 'file' && found.bytes.toString() === ignoreAll;
}
