import { lstat, opendir } from 'node:fs/promises';
import path from 'node:path';
import type { PathComparison } from '../../../core/paths/compare';

/**
 * Says whether names in a folder differ by case. Looks for one of its entries under the name in the
 * other case. Uses the folder's own name only without such an entry. That is the last choice,
 * because the name of a mount point belongs to the file system above. Limit: the answer is used for
 * everything below, although Windows and ext4 can have subfolders that compare otherwise.
 */
export async function readComparison(folder: string): Promise<PathComparison> {
  const name = (await someName(folder)) ?? '.';
  const place = name === '.' ? path.resolve(folder) : path.join(folder, name);
  return { case_insensitive: await isSame(place, path.join(path.dirname(place), inOtherCase(path.basename(place)))) };
}

/** An entry whose name has letters; null after 10,000 entries without one. */
async function someName(folder: string): Promise<string | null> {
  let looked = 0;
  try {
    for await (const { name } of await opendir(folder)) {
      if (inOtherCase(name) !== name) return name;
      if ((looked += 1) === 10_000) break;
    }
  } catch {
    // The caller that needs the folder's files reports that it cannot be listed.
  }
  return null;
}

/** ASCII only, because file systems differ about other letters. */
function inOtherCase(name: string): string {
  const upper = name.replace(/[a-z]/g, (letter) => letter.toUpperCase());
  return upper === name ? name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : upper;
}

/** Returns whether both names lead to one file, instead of to two files with these names. */
async function isSame(left: string, right: string): Promise<boolean> {
  if (left === right) return false;
  const look = (file: string) => lstat(file, { bigint: true }).catch(() => null);
  const [own, other] = await Promise.all([look(left), look(right)]);
  return own !== null && other !== null && own.ino === other.ino && own.dev === other.dev;
}
