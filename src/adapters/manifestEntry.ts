import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type BigIntStats } from 'node:fs';
import { open, readlink } from 'node:fs/promises';

/** One thing of the workspace as it was found. Everything but regular files and links is never opened. */
export interface ManifestEntry {
  /** POSIX path relative to the workspace root; bytes that are no UTF-8 show as `\xNN`. */
  readonly path: string;
  readonly type: 'file' | 'symlink' | 'fifo' | 'socket' | 'device';
  /** Permission bits. */
  readonly mode: number;
  readonly size: string;
  readonly mtime_ns: string;
  readonly ctime_ns: string;
  readonly inode: string;
  /** Upper-case SHA-256; absent when there is no content to hash or it could not be read. */
  readonly sha256?: string;
  /** Text of a symbolic link. */
  readonly target?: string;
  /** Where a link really leads: POSIX relative inside the workspace, absolute outside. */
  readonly resolved?: string;
  /** Why there is no digest: an error code, or `too_large`. */
  readonly problem?: string;
  /** Hex of the name's bytes relative to the root, when they are no UTF-8. */
  readonly raw?: string;
  /** Absolute path, when it lies outside the workspace and was reached through a link. */
  readonly outside?: string;
}

/** A path for the file system: text, or bytes where the name is no UTF-8. */
export type NativePath = string | Buffer;

export interface ReadOptions {
  /** What an earlier manifest says; its digest is kept while the stat is the same and not too fresh. */
  readonly known: ManifestEntry | null;
  /** Nanoseconds: a file changed at or after it may have changed again within one tick of the file system's clock. */
  readonly fresh_since_ns: bigint;
  /** Larger files are compared by size and times. */
  readonly large_file_bytes: number;
  /** The file is read again and again, so that the disk has no part in it. */
  readonly often?: boolean;
}

/** The entry of a path, or null when nothing is there (any more) or it is a folder. Never throws for what a file can be. */
export async function readEntry(native: NativePath, path: string, options: ReadOptions): Promise<ManifestEntry | null> {
  try {
    return await readSettled(native, path, options);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    const nothing = { mode: 0, size: '0', mtime_ns: '0', ctime_ns: '0', inode: '0' };
    return { path, type: 'file', ...nothing, problem: code };
  }
}

/** True when nothing the file system tells has changed. */
export function sameStat(left: ManifestEntry, right: ManifestEntry): boolean {
  return (
    left.type === right.type &&
    left.size === right.size &&
    left.mtime_ns === right.mtime_ns &&
    left.ctime_ns === right.ctime_ns &&
    left.inode === right.inode
  );
}

/** Twice the coarsest clock in use on file systems that can hold our journal. */
export const freshNanoseconds = 2_000_000_000n;

export function errorCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return 'UNKNOWN';
}

/** Looks at what changes under the reader before it is told as it is. */
const patience = 5;

/**
 * The times told are never older than the content: somebody who writes beside (another lane) may do so between the look
 * at the file and its reading, and whose change it is is judged by its time.
 */
async function readSettled(native: NativePath, path: string, options: ReadOptions): Promise<ManifestEntry | null> {
  for (let look = 1; ; look += 1) {
    const entry = await readOnce(native, path, options);
    if (entry === null || (entry.sha256 === undefined && entry.target === undefined && entry.problem === undefined))
      return entry;
    const stats = lstatSync(native, { bigint: true });
    const type = typeOf(stats);
    if (type === null) return null;
    const now = describe(path, type, stats);
    if (sameStat(entry, now)) return entry;
    // The same file with other content: what was read is at most as new as what is told.
    if (entry.sha256 !== undefined && entry.inode === now.inode && type === 'file')
      return { ...now, sha256: entry.sha256 };
    if (look === patience) return { ...now, problem: 'REPLACED' };
  }
}

async function readOnce(native: NativePath, path: string, options: ReadOptions): Promise<ManifestEntry | null> {
  // Many times as fast as its asynchronous twin, and nearly every file of a workspace needs nothing else. Callers that
  // read many give the thread back now and then.
  const stats = lstatSync(native, { bigint: true });
  const type = typeOf(stats);
  if (type === null) return null;
  const entry = describe(path, type, stats);
  if (type === 'symlink') return { ...entry, target: await readlink(native) };
  if (type !== 'file') return entry;
  const { known } = options;
  if (known?.sha256 !== undefined && sameStat(known, entry) && stats.ctimeNs < options.fresh_since_ns) {
    return { ...entry, sha256: known.sha256 };
  }
  if (stats.size > BigInt(options.large_file_bytes)) return { ...entry, problem: 'too_large' };
  const cached = options.often === true || BigInt(Date.now()) * 1_000_000n - stats.ctimeNs < cachedNanoseconds;
  const small = stats.size <= BigInt(chunkBytes);
  return { ...entry, ...(cached && small ? digestAtOnce(native, stats) : await digestOf(native, stats)) };
}

function describe(path: string, type: ManifestEntry['type'], stats: BigIntStats): ManifestEntry {
  return {
    path,
    type,
    mode: Number(stats.mode & 0o7777n),
    size: stats.size.toString(),
    mtime_ns: stats.mtimeNs.toString(),
    ctime_ns: stats.ctimeNs.toString(),
    inode: stats.ino.toString(),
  };
}

function typeOf(stats: BigIntStats): ManifestEntry['type'] | null {
  if (stats.isFile()) return 'file';
  if (stats.isSymbolicLink()) return 'symlink';
  if (stats.isFIFO()) return 'fifo';
  if (stats.isSocket()) return 'socket';
  if (stats.isDirectory()) return null;
  return 'device';
}

/** Neither follows a link nor waits for a pipe that took the file's place since it was looked at. */
const posixOnly: { readonly O_NOFOLLOW?: number; readonly O_NONBLOCK?: number } = constants;
const openFlags = constants.O_RDONLY | (posixOnly.O_NOFOLLOW ?? 0) | (posixOnly.O_NONBLOCK ?? 0);
const chunkBytes = 262_144;
/** What was written so short a time ago is still in memory: reading it takes less than waiting for a turn. */
const cachedNanoseconds = 60_000_000_000n;

function digestAtOnce(native: NativePath, seen: BigIntStats): { sha256: string } | { problem: string } {
  let descriptor;
  try {
    descriptor = openSync(native, openFlags);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw error;
    return { problem: errorCode(error) };
  }
  try {
    const opened = fstatSync(descriptor, { bigint: true });
    if (!opened.isFile() || opened.ino !== seen.ino) return { problem: 'REPLACED' };
    const hash = createHash('sha256');
    for (let left = Number(opened.size); left > 0;) {
      const bytesRead = readSync(descriptor, chunk, 0, Math.min(chunk.length, left), null);
      if (bytesRead === 0) break;
      hash.update(chunk.subarray(0, bytesRead));
      left -= bytesRead;
    }
    return { sha256: hash.digest('hex').toUpperCase() };
  } catch (error) {
    return { problem: errorCode(error) };
  } finally {
    closeSync(descriptor);
  }
}

const chunk = Buffer.alloc(chunkBytes);

async function digestOf(native: NativePath, seen: BigIntStats): Promise<{ sha256: string } | { problem: string }> {
  let handle;
  try {
    handle = await open(native, openFlags);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw error;
    return { problem: errorCode(error) };
  }
  try {
    const opened = await handle.stat({ bigint: true });
    if (!opened.isFile() || opened.ino !== seen.ino) return { problem: 'REPLACED' };
    const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(Number(opened.size), chunkBytes)));
    const hash = createHash('sha256');
    // Not further than it was long when it was opened: a log that somebody else appends to has no end.
    for (let left = Number(opened.size); left > 0;) {
      const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, left), null);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
      left -= bytesRead;
    }
    return { sha256: hash.digest('hex').toUpperCase() };
  } catch (error) {
    return { problem: errorCode(error) };
  } finally {
    await handle.close();
  }
}
