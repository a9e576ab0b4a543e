import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../base/outcome';

/**
 * Removes a folder and everything in it, if it is there. Makes read-only folders writable first, because Go leaves its
 * modules in such folders.
 */
export async function removeTree(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch (error) {
    if (!['EACCES', 'EPERM', 'ENOTEMPTY'].includes(String(errorCode(error)))) throw error;
    await openFolders(folder);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Follows no link. */
async function openFolders(folder: string): Promise<void> {
  if (!(await lstat(folder)).isDirectory()) return;
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await openFolders(path.join(folder, entry.name));
}
