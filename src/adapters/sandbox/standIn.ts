import { mkdir, readdir, readlink, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { HomeMount } from './facts';

/** A start has no time for more mounts. */
const mostEntries = 300;

/**
 * Makes a read-only folder that replaces another one: it shows the same entries, and has places for mounts that the
 * real one lacks. bubblewrap would create those on the disk. Null: the folder cannot be read, or has too many entries.
 */
export async function standIn(
  at: string,
  places: readonly string[],
  own: string,
): Promise<readonly HomeMount[] | null> {
  const entries = await readdir(at, { withFileTypes: true }).catch(() => null);
  if (entries === null || entries.length > mostEntries) return null;
  await mkdir(own, { recursive: true, mode: 0o700 });
  const mounts: HomeMount[] = [{ at, kind: 'read', from: own }];
  for (const entry of entries) {
    const [real, mine] = [path.posix.join(at, entry.name), path.posix.join(own, entry.name)];
    if (entry.isSymbolicLink()) await symlink(await readlink(real).catch(() => '/'), mine).catch(existsAlready);
    else if (entry.isDirectory()) await mkdir(mine, { recursive: true });
    else if (entry.isFile()) await writeFile(mine, '');
    // `held`, because entries of HOME come and go.
    if (entry.isDirectory() || entry.isFile()) mounts.push({ at: real, kind: 'held', from: real });
  }
  for (const place of places) await mkdir(path.posix.join(own, path.posix.relative(at, place)), { recursive: true });
  return mounts;
}

function existsAlready(): void {
  // A second launch line for the same run made it already.
}
