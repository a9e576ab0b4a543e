import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, lstat, open, readdir, rename, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, valueOn } from '../../base/outcome';
import { ownFolder } from './leftOutFolders';

/** Permission bits of the new file; ignored on Windows. */
export interface AtomicOptions {
  readonly mode?: number;
  /** False: a machine crash may lose the new bytes, but a reader still sees all or none of them. */
  readonly durable?: boolean;
  /**
   * True: missions observe the folder of the file. The temporary file then lies in the state folder above it, if there is
   * one. A slow disk keeps it for seconds, and a mission would hold it against its worker.
   */
  readonly observed?: boolean;
}

/**
 * Replaces or creates a file so that readers see the old bytes or all the new ones. That also holds
 * after a crash: temporary file in the same folder, fsync, rename, fsync of the folder. Replaces a
 * symbolic link at `file`, never follows it. Leaves nothing behind on failure.
 *
 * @throws the file system's own error (ENOSPC, EACCES, EROFS ...).
 */
export async function writeFileAtomic(
  file: string,
  content: string | Uint8Array,
  options: AtomicOptions = {},
): Promise<void> {
  const temporary = await temporaryFor(file, options);
  try {
    await writeDurably(temporary, content, options);
    await renameFile(temporary, file);
  } catch (error) {
    await unlink(temporary).catch(() => undefined); // report the first error
    throw error;
  }
  if (options.durable !== false) await syncFolder(path.dirname(file));
}

/**
 * Does the same for a new file that stays open, so a reader can find the process that wrote it. The
 * caller closes the handle. Does not sync the name: the file counts only while its writer lives. A
 * failed sync would report a visible file as not written.
 */
export async function writeFileHeld(file: string, content: string): Promise<FileHandle> {
  const temporary = temporaryName(file);
  const handle = await open(temporary, exclusive, 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
    await renameFile(temporary, file);
    return handle;
  } catch (error) {
    await handle.close().catch(() => undefined); // report the first error
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

/**
 * Creates a complete file under a free name; false: another process was faster, and nothing changed. On a file system
 * without hard links (FAT, some network shares) a reader may first see an empty file.
 */
export async function createFileAtomic(
  file: string,
  content: string | Uint8Array,
  options: AtomicOptions = {},
): Promise<boolean> {
  const temporary = await temporaryFor(file, options);
  try {
    await writeDurably(temporary, content, options);
    await link(temporary, file).catch((error: unknown) => {
      if (!withoutHardLinks.has(errorCode(error) ?? '')) throw error;
      return moveToFreeName(temporary, file);
    });
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(temporary).catch(() => undefined); // it is never read
  }
  await syncFolder(path.dirname(file));
  return true;
}

/** Moves a file. Retries for some two seconds, because on Windows a virus scanner or indexer may hold the target. */
export async function renameFile(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      const code = errorCode(error);
      const busy = process.platform === 'win32' && (code === 'EBUSY' || code === 'EPERM' || code === 'EACCES');
      if (!busy || attempt === 12) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25 * attempt));
    }
  }
}

/** Moves a file. False: it is not there. */
export function moveIfThere(from: string, to: string): Promise<boolean> {
  return renameFile(from, to).then(() => true, valueOn(false, 'ENOENT'));
}

/** Renames a file that is in the way, so that its content is kept. Returns its new path. */
export async function setAside(file: string): Promise<string> {
  const aside = `${file}~${randomBytes(4).toString('hex')}`;
  await renameFile(file, aside);
  return aside;
}

/** Makes the names in a folder durable. Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Returns whether a writer that was killed left this file; such files are never read. */
export function isTemporaryName(name: string): boolean {
  return /^\..+\.[0-9a-f]{16}\.tmp$/.test(name);
}

/** Returns whether a writer of this very file left it. */
export function isHalfOf(name: string, file: string): boolean {
  return isTemporaryName(name) && name.slice(1, -'.0123456789abcdef.tmp'.length) === path.basename(file);
}

/** Removes what killed writers of this file left. A second writer that runs loses its own (ENOENT). */
export async function removeHalves(file: string): Promise<void> {
  const folder = path.dirname(file);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const { name } = entry;
    // A temporary file is no folder, so a folder of such a name is not ours.
    if (entry.isDirectory()) continue;
    if (isHalfOf(name, file)) await unlink(path.join(folder, name)).catch(valueOn(undefined, 'ENOENT'));
  }
}

/** Errors of file systems that have no hard links; Windows reports them for FAT. */
const withoutHardLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR']);

/** Creates the name first, as only one process can, then moves the content. @throws EEXIST: the name is taken */
async function moveToFreeName(from: string, to: string): Promise<void> {
  const place = await open(to, exclusive, 0o600);
  await place.close();
  try {
    await renameFile(from, to);
  } catch (error) {
    await unlink(to).catch(() => undefined); // report the first error
    throw error;
  }
}

const exclusive = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY;

export function temporaryName(file: string): string {
  return path.join(path.dirname(file), `.${path.basename(file)}.${randomBytes(8).toString('hex')}.tmp`);
}

/** Takes a state folder only on the device of the file, because a rename does not leave its device. */
async function temporaryFor(file: string, { observed }: AtomicOptions): Promise<string> {
  const folder = path.dirname(file);
  if (observed !== true) return temporaryName(file);
  const { dev } = await lstat(folder);
  for (let above = folder; ; above = path.dirname(above)) {
    const state = path.join(above, ownFolder);
    const found = await lstat(state).catch(() => null);
    if (found?.isDirectory() === true && found.dev === dev) return temporaryName(path.join(state, path.basename(file)));
    if (above === path.dirname(above)) return temporaryName(file);
  }
}

async function writeDurably(file: string, content: string | Uint8Array, options: AtomicOptions): Promise<void> {
  const handle = await open(file, exclusive, options.mode ?? 0o600);
  try {
    await handle.writeFile(content);
    if (options.durable !== false) await handle.sync();
  } finally {
    await handle.close();
  }
}
