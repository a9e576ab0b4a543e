import { lstat } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import type { PathComparison } from '../core/paths/compare';

/** How names compare on the file system of a folder, found by looking for the folder itself in the other case. */
export async function readComparison(folder: string): Promise<PathComparison> {
  const name = path.basename(folder);
  const swapped = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
  if (swapped === name) return { case_insensitive: process.platform === 'win32' || process.platform === 'darwin' };
  const [own, other] = await Promise.all([
    lstat(folder, { bigint: true }).catch(() => null),
    lstat(path.join(path.dirname(folder), swapped), { bigint: true }).catch(() => null),
  ]);
  return { case_insensitive: own !== null && other !== null && own.ino === other.ino && own.dev === other.dev };
}
