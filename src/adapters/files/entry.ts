import { hash as hashAtOnce, createHash } from 'node:crypto';
import { closeSync, fstatSync, lstatSync, openSync, readSync, type Stats, readdirSync } from 'node:fs';
import { open, readlink, realpath } from 'node:fs/promises';
import { gitMode, type Left } from '../../base/fileState';
import { guardedReading } from './opened';
import path from 'node:path';
import { placeInWorkspace } from './place';

/** One file, link or other thing in the workspace. Only regular files and links are ever opened. */
export interface ManifestEntry {
  /** POSIX path relative to the workspace root; bytes that are not UTF-8 show as `\xNN`. */
  readonly path: string;
  readonly type: 'file' | 'symlink' | 'fifo' | 'socket' | 'device';
  /** Permission bits. */
  readonly mode: number;
  readonly size: number;
  /** Milliseconds since 1970 with their fraction, to about a quarter of a microsecond. */
  readonly mtime_ms: number;
  readonly ctime_ms: number;
  readonly inode: number;
  /** Upper-case SHA-256; absent: there is no content, or it could not be read. */
  readonly sha256?: string;
  /** Text of a symbolic link. */
  readonly target?: string;
  /** The real target of a link: POSIX, relative inside the workspace, absolute outside. */
  readonly resolved?: string;
  /** The reason why there is no digest: an error code, or `too_large`. */
  readonly problem?: string;
  /** Hex of the path's bytes relative to the root, when they are not UTF-8. */
  readonly raw?: string;
  /** Absolute path of something outside the workspace that was reached through a link. */
  readonly outside?: string;
}

/** A path for the file system: text, or bytes where the name is not UTF-8. */
export type NativePath = string | Buffer;

export interface ReadOptions {
  /** Larger files are compared by size, times and inode. */
  readonly large_file_bytes: number;
  /** The file is read often, so the system has it in its cache. */
  readonly often?: boolean;
}

/** The key of an entry in a manifest: its path, or its absolute path when it lies outside the workspace. */
export function keyOf(entry: ManifestEntry): string {
  return entry.outside ?? entry.path;
}

/** The entry of a path; null when absent or a folder. Never throws: a failure is the entry's `problem`. */
export async function readEntry(native: NativePath, path: string, options: ReadOptions): Promise<ManifestEntry | null> {
  try {
    return await readSettled(native, path, options);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    return { path, type: 'file', mode: 0, size: 0, mtime_ms: 0, ctime_ms: 0, inode: 0, problem: code };
  }
}

export function sameContentByStat(left: ManifestEntry, right: ManifestEntry): boolean {
  return (
    left.size === right.size &&
    left.mtime_ms === right.mtime_ms &&
    left.ctime_ms === right.ctime_ms &&
    left.inode === right.inode
  );
}

/** The whole mode. Windows keeps none, so there it is what git would store. */
export function modeOf({ mode }: ManifestEntry): string {
  const whole = (mode & 0o7777).toString(8).padStart(4, '0');
  return process.platform === 'win32' ? gitMode(whole) : whole;
}

/**
 * Returns whether a file need not be read: its stat is that of a manifest, and it changed before `fresh_since_ms`. A
 * later change may be followed by another one within the same tick.
 */
export function isAsKnown(known: ManifestEntry, stats: Stats, fresh_since_ms: number): boolean {
  return (
    known.sha256 !== undefined &&
    stats.isFile() &&
    known.type === 'file' &&
    known.ctime_ms === stats.ctimeMs &&
    known.size === stats.size &&
    known.mtime_ms === stats.mtimeMs &&
    known.inode === stats.ino &&
    known.mode === (stats.mode & 0o7777) &&
    stats.ctimeMs < fresh_since_ms
  );
}

/** Twice the coarsest clock of the file systems that can hold our journal. */
export const freshMilliseconds = 2_000;

export function errorCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return 'UNKNOWN';
}

/** After so many reads a file that changes during each read is reported as REPLACED. */
const patience = 5;

/** Reads an entry whose times are never older than its content, because a worker may write between stat and read. */
async function readSettled(native: NativePath, path: string, options: ReadOptions): Promise<ManifestEntry | null> {
  for (let look = 1; ; look += 1) {
    const entry = await readOnce(native, path, options);
    if (entry?.problem !== 'REPLACED' || look === patience) return entry;
  }
}

async function readOnce(native: NativePath, path: string, options: ReadOptions): Promise<ManifestEntry | null> {
  // Synchronous, because that is many times faster. Callers that read many yield now and then.
  const stats = lstatSync(native);
  const type = typeOf(stats);
  if (type === null) return null;
  const entry = describe(path, type, stats);
  if (type === 'symlink') {
    const target = await readlink(native);
    return lstatSync(native).ctimeMs === stats.ctimeMs ? { ...entry, target } : { ...entry, problem: 'REPLACED' };
  }
  if (type !== 'file') return entry;
  if (stats.size > options.large_file_bytes) return { ...entry, problem: 'too_large' };
  const cached = options.often === true || Date.now() - stats.ctimeMs < cachedMilliseconds;
  if (stats.size > chunkBytes || (stats.size > smallBytes && !cached)) return digestOf(native, entry);
  return digestAtOnce(native, entry);
}

function describe(path: string, type: ManifestEntry['type'], stats: Stats): ManifestEntry {
  const { size, mtimeMs, ctimeMs, ino } = stats;
  return { path, type, mode: stats.mode & 0o7777, size, mtime_ms: mtimeMs, ctime_ms: ctimeMs, inode: ino };
}

function typeOf(stats: Stats): ManifestEntry['type'] | null {
  if (stats.isFile()) return 'file';
  if (stats.isSymbolicLink()) return 'symlink';
  if (stats.isFIFO()) return 'fifo';
  if (stats.isSocket()) return 'socket';
  if (stats.isDirectory()) return null;
  return 'device';
}

const chunkBytes = 262_144;
/** Bytes. Reading so few takes less time than waiting for the event loop, even from disk. */
const smallBytes = 16_384;
/** A file that was written so recently is still in the system's cache. */
const cachedMilliseconds = 60_000;

function digestAtOnce(native: NativePath, seen: ManifestEntry): ManifestEntry {
  let descriptor;
  try {
    descriptor = openSync(native, guardedReading);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw error;
    return { ...seen, problem: errorCode(error) };
  }
  try {
    // Reads no further than the size of the stat, because a log that another process appends to has no end.
    let filled = 0;
    while (filled < seen.size) {
      const bytesRead = readSync(descriptor, chunk, filled, seen.size - filled, null);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    const sha256 = hashAtOnce('sha256', chunk.subarray(0, filled), 'hex').toUpperCase();
    return settled(seen, fstatSync(descriptor), sha256);
  } catch (error) {
    return { ...seen, problem: errorCode(error) };
  } finally {
    closeSync(descriptor);
  }
}

const chunk = Buffer.alloc(chunkBytes);

async function digestOf(native: NativePath, seen: ManifestEntry): Promise<ManifestEntry> {
  let handle;
  try {
    handle = await open(native, guardedReading);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw error;
    return { ...seen, problem: errorCode(error) };
  }
  try {
    const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(seen.size, chunkBytes)));
    const hash = createHash('sha256');
    for (let left = seen.size; left > 0;) {
      const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, left), null);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
      left -= bytesRead;
    }
    return settled(seen, await handle.stat(), hash.digest('hex').toUpperCase());
  } catch (error) {
    return { ...seen, problem: errorCode(error) };
  } finally {
    await handle.close();
  }
}

/** Takes a second stat after the read, so that the times are not older than the content. */
function settled(seen: ManifestEntry, now: Stats, sha256: string): ManifestEntry {
  if (!now.isFile() || now.ino !== seen.inode)
    return { ...seen, ctime_ms: Math.max(seen.ctime_ms, now.ctimeMs), problem: 'REPLACED' };
  return { ...describe(seen.path, 'file', now), sha256 };
}

export interface FolderName {
  /** The name as shown: bytes that are not UTF-8 as `\xNN`. */
  readonly name: string;
  /** Null: the name is valid UTF-8, and `name` can be used as it is. */
  readonly bytes: Buffer | null;
  readonly isFolder: boolean;
}

/** The names in a folder, in the same order on every machine. Read as bytes if a name is not UTF-8. */
export function folderNames(folder: NativePath): readonly FolderName[] {
  const found = readdirSync(folder, { withFileTypes: true, encoding: 'utf8' });
  const names = found.some((entry) => entry.name.includes('\uFFFD'))
    ? readdirSync(folder, { withFileTypes: true, encoding: 'buffer' }).map((entry) => ({
        ...decodedName(entry.name),
        isFolder: entry.isDirectory(),
      }))
    : found.map((entry) => ({ name: entry.name, bytes: null, isFolder: entry.isDirectory() }));
  return names.sort((left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0));
}

export function decodedName(bytes: Buffer): { readonly name: string; readonly bytes: Buffer | null } {
  const text = bytes.toString('utf8');
  if (Buffer.from(text, 'utf8').equals(bytes)) return { name: text, bytes: null };
  return { name: escaped(bytes), bytes };
}

export function joinNative(folder: NativePath, name: string, bytes: Buffer | null): NativePath {
  if (typeof folder === 'string' && bytes === null) return folder + path.sep + name;
  const head = typeof folder === 'string' ? Buffer.from(folder) : folder;
  return Buffer.concat([head, Buffer.from(path.sep), bytes ?? Buffer.from(name)]);
}

/** Hex of the bytes below the root, for a path that is not UTF-8; undefined for others. */
export function rawOf(root: string, native: NativePath): string | undefined {
  return typeof native === 'string' ? undefined : native.subarray(Buffer.byteLength(root) + 1).toString('hex');
}

export function nativeOf(root: string, relative: string, raw: string | undefined): NativePath {
  if (raw === undefined) return path.join(root, ...relative.split('/'));
  return Buffer.concat([Buffer.from(root + path.sep), Buffer.from(raw, 'hex')]);
}

/**
 * Finds the entry that is shown as this path, by its bytes where they are not UTF-8. It need not exist. Null: two are
 * shown so, or a link lies on the way to such a name.
 *
 * @param root absolute, resolved
 * @param shown POSIX, relative to it
 * @throws the file system's own error other than ENOENT and ENOTDIR
 */
export function entryShownAs(root: string, shown: string): NativePath | null {
  const parts = shown.split('/');
  if (!parts.some(mayBeEscaped)) return path.join(root, ...parts);
  let at: NativePath = root;
  for (const [index, part] of parts.entries()) {
    const found =
      mayBeEscaped(part) && lookAt(at)?.isDirectory() ? folderNames(at).filter(({ name }) => name === part) : [];
    if (found.length > 1) return null;
    at = joinNative(at, part, found[0]?.bytes ?? null);
    if (index < parts.length - 1 && lookAt(at)?.isSymbolicLink()) return null;
  }
  return at;
}

/** Returns whether a shown name may stand for bytes that are not UTF-8. A text may look the same. */
export function mayBeEscaped(shown: string): boolean {
  return /\\x[89a-f][0-9a-f]/.test(shown);
}

/** Undefined: nothing is there, also because something above it is no folder. */
export function lookAt(at: NativePath): Stats | undefined {
  try {
    return lstatSync(at);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return undefined;
    throw error;
  }
}

/** Keeps ASCII readable and writes every other byte as `\xNN`. */
function escaped(bytes: Buffer): string {
  return [...bytes]
    .map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`))
    .join('');
}

/** Returns what lies at a POSIX path relative to the workspace root; follows no link. Never rejects. */
export async function foundAt(workspaceRoot: string, name: string): Promise<Left> {
  try {
    const place = await placeInWorkspace(workspaceRoot, name);
    const folder = path.posix.dirname(name);
    const above = place.kind === 'refused' && folder !== '.' ? await placeInWorkspace(workspaceRoot, folder) : place;
    if (place.kind === 'refused' && place.by === 'name')
      return { kind: 'unknown', why: 'it lies outside the workspace' };
    if (above.kind === 'refused' && folder !== '.') return { kind: above.by === 'link' ? 'behind_link' : 'nothing' };
    const file = entryShownAs(await realpath(workspaceRoot), name);
    if (file === null) return { kind: 'unknown', why: 'its name is no text, and does not say which file it is' };
    const entry = await readEntry(file, name, { large_file_bytes: largestBytes });
    if (entry === null) return { kind: lookAt(file) ? 'folder' : 'nothing' };
    if (entry.problem !== undefined) return { kind: 'unknown', why: `it cannot be read (${entry.problem})` };
    if (entry.type === 'symlink') return { kind: 'link', target: entry.target ?? '' };
    if (entry.type !== 'file' || entry.sha256 === undefined) return { kind: 'special' };
    return { kind: 'file', sha256: entry.sha256, mode: process.platform === 'win32' ? null : modeOf(entry) };
  } catch (error) {
    return { kind: 'unknown', why: `it cannot be read (${errorCode(error)})` };
  }
}

/** Bytes; a baseline never digests so many. */
const largestBytes = 2 * 1024 * 1024 * 1024;
