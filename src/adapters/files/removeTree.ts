import { chmod, lstat, readdir, rm, rmdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { valueOn } from '../../base/outcome';
import { decodedName, joinNative, type NativePath } from './entry';

/**
 * Removes a folder and everything in it, if it is there. Makes closed folders writable first, because Go leaves its
 * modules in such folders. Once it has rejected, nothing more is removed: `rm` of Node goes on in parallel.
 */
export async function removeTree(folder: NativePath): Promise<void> {
  const stats = await lstat(folder).catch(absent);
  if (stats === null) return;
  if (!stats.isDirectory()) return rm(folder, { force: true });
  if ((stats.mode & 0o700) !== 0o700) await chmod(folder, 0o700).catch(() => undefined); // what cannot be removed says so below
  const entries = (await readdir(folder, { withFileTypes: true, encoding: 'buffer' }).catch(absent)) ?? [];
  const ended = await Promise.allSettled(
    entries.map((entry) => {
      const { name, bytes } = decodedName(entry.name);
      const at = joinNative(folder, name, bytes);
      return entry.isDirectory() ? removeTree(at) : rm(at, { force: true });
    }),
  );
  for (const one of ended) if (one.status === 'rejected') throw one.reason as Error;
  await rmdir(folder).catch(absent);
}

const absent = valueOn(null, 'ENOENT');

/** Removes files of a folder, the oldest first, until so many are left. Another process may do the same meanwhile. */
export async function keepNewest(folder: string, most: number): Promise<void> {
  const names = await readdir(folder);
  if (names.length <= most) return;
  const ages = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(path.join(folder, name)).catch(() => null))?.mtimeMs ?? 0 })),
  );
  ages.sort((left, right) => left.at - right.at);
  for (const { name } of ages.slice(0, ages.length - most))
    await unlink(path.join(folder, name)).catch(() => undefined); // another process was faster
}

/** Counts the bytes of the files in a folder. */
export async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  // The kernel leaves an empty folder in each layer, which its user may not read.
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(valueOn([], 'EACCES'))) {
    const file = path.join(folder, entry.name);
    bytes += entry.isDirectory() ? await bytesIn(file) : (await lstat(file)).size;
  }
  return bytes;
}
