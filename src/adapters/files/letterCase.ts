import { lstat, opendir } from 'node:fs/promises';
import path from 'node:path';
import type { PathComparison } from '../../core/paths/compare';

/**
 * How names compare in a folder: asked of its file system, by looking for something in it under its name in the other
 * case. Asked inside, because a mounted folder's own name belongs to the file system above it. Only an empty folder, in
 * which nobody can be asked, is judged by its own name.
 * Limit: the folder answers for everything below it. Windows and ext4 can have folders in it that compare otherwise.
 */
export async function readComparison(folder: string): Promise<PathComparison> {
  const name = (await someName(folder)) ?? '.';
  const place = name === '.' ? path.resolve(folder) : path.join(folder, name);
  return { case_insensitive: await isSame(place, path.join(path.dirname(place), inOtherCase(path.basename(place)))) };
}

/** A name whose letters have a case; what is looked at in vain is not read to the end of a large folder. */
async function someName(folder: string): Promise<string | null> {
  let looked = 0;
  try {
    for await (const { name } of await opendir(folder)) {
      if (inOtherCase(name) !== name) return name;
      if ((looked += 1) === 10_000) break;
    }
  } catch {
    // Who may not list it, is told by whoever needs its files.
  }
  return null;
}

/** ASCII alone: of other letters, file systems have ideas of their own. */
function inOtherCase(name: string): string {
  const upper = name.replace(/[a-z]/g, (letter) => letter.toUpperCase());
  return upper === name ? name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : upper;
}

/** Two names of one thing. Two things that each have one of the names are two. */
async function isSame(left: string, right: string): Promise<boolean> {
  if (left === right) return false;
  const look = (file: string) => lstat(file, { bigint: true }).catch(() => null);
  const [own, other] = await Promise.all([look(left), look(right)]);
  return own !== null && other !== null && own.ino === other.ino && own.dev === other.dev;
}
