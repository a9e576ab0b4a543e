import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, open, readdir, rename, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../base/outcome';

/** Permission bits of the new file; ignored on Windows. */
export interface AtomicOptions {
  readonly mode?: number;
  /** False: a reader still sees the old bytes or all the new ones, but a crash of the machine may lose them. */
  readonly durable?: boolean;
}

/**
 * Replaces or creates a file so that a reader sees the old bytes or all the new ones, also after a crash:
 * temporary file in the same folder, fsync, rename, fsync of the folder. A symbolic link at `file` is
 * replaced, never followed. Nothing is left behind on failure.
 *
 * @throws the file system's own error (ENOSPC, EACCES, EROFS ...).
 */
export async function writeFileAtomic(
  file: string,
  content: string | Uint8Array,
  options: AtomicOptions = {},
): Promise<void> {
  const temporary = temporaryName(file);
  try {
    await writeDurably(temporary, content, options);
    await renameFile(temporary, file);
  } catch (error) {
    await unlink(temporary).catch(() => undefined); // the first error is the one to tell
    throw error;
  }
  if (options.durable !== false) await syncFolder(path.dirname(file));
}

/**
 * The same for a new file that this process holds open from before anybody can see it, so that whoever finds it can see
 * who wrote it. The caller closes the handle. The name is not made durable: the file counts while its writer lives, and
 * one that can be seen must not be told as one that could not be written.
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
    await handle.close().catch(() => undefined); // the first error is the one to tell
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

/**
 * Creates a complete file under a name that must be free. Of several processes exactly one gets `true`;
 * the others get `false` and the file stays as the winner wrote it.
 */
export async function createFileAtomic(
  file: string,
  content: string | Uint8Array,
  options: AtomicOptions = {},
): Promise<boolean> {
  const temporary = temporaryName(file);
  try {
    await writeDurably(temporary, content, options);
    await link(temporary, file);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(temporary).catch(() => undefined); // a temporary name nobody reads
  }
  await syncFolder(path.dirname(file));
  return true;
}

/**
 * Moves a file. On Windows another process (virus scanner, indexer) may hold the target for a moment:
 * tried again for about two seconds.
 */
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

/** Renames what stands in the place of ours, so that nothing of it is lost and it keeps nobody from going on. Its new path. */
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

/** Whether the name is one of ours: left by a process that was killed, never to be read. */
export function isTemporaryName(name: string): boolean {
  return /^\..+\.[0-9a-f]{16}\.tmp$/.test(name);
}

/**
 * Removes what writers of this very file left that were killed in the middle. One that still writes loses its half as
 * well, and its rename fails with ENOENT: for after a write of one's own.
 */
export async function removeHalves(file: string): Promise<void> {
  const folder = path.dirname(file);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const { name } = entry;
    // Halves are files: a folder of such a name is somebody else's, and keeps nobody from writing.
    if (entry.isDirectory()) continue;
    if (isTemporaryName(name) && name.slice(1, -'.0123456789abcdef.tmp'.length) === path.basename(file))
      await unlink(path.join(folder, name)).catch((error: unknown) => {
        if (errorCode(error) !== 'ENOENT') throw error;
      });
  }
}

const exclusive = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY;

function temporaryName(file: string): string {
  return path.join(path.dirname(file), `.${path.basename(file)}.${randomBytes(8).toString('hex')}.tmp`);
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
