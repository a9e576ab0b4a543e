import { succeeds } from '../../base/outcome';
import { lchown, lstat, mkdir, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { Stats } from 'node:fs';
import type { Folders } from '../../engine/ports/folders';

/** Never throws: skips a folder that cannot be made or removed, and the caller that needs it reports that. */
export function createFolders(root: string): Folders {
  return {
    async make(folders) {
      const made: string[] = [];
      for (const folder of [...folders].sort()) made.push(...(await makeOne(root, folder)));
      return made;
    },
    async holding(paths) {
      const found = new Set<string>();
      for (const one of paths) found.add(await nearestFolder(root, one));
      return [...found];
    },
    async existing(paths) {
      const found = await Promise.all(paths.map(async (one) => ((await isPlainFolder(root, one)) ? [one] : [])));
      return found.flat();
    },
    async removeEmpty(folders) {
      const innermostFirst = [...new Set(folders)].sort().reverse();
      for (const folder of innermostFirst)
        if (await isPlainFolder(root, folder)) await rmdir(path.join(root, folder)).catch(() => undefined); // not empty
    },
  };
}

async function makeOne(root: string, folder: string): Promise<readonly string[]> {
  const made: string[] = [];
  let above = await lstat(root).catch(() => null);
  let place = root;
  for (const name of folder.split('/')) {
    place = path.join(place, name);
    const created = await succeeds(mkdir(place));
    const here = await lstat(place).catch(() => null);
    if (here?.isDirectory() !== true) return made;
    if (created) {
      made.push(path.relative(root, place).split(path.sep).join('/'));
      await giveAway(place, here, above);
    }
    above = here;
  }
  return made;
}

/** Gives a folder that root makes to the owner of the one above, because another user may own the files. */
async function giveAway(place: string, here: Stats, above: Stats | null): Promise<void> {
  if (above === null || (here.uid === above.uid && here.gid === above.gid)) return;
  await lchown(place, above.uid, above.gid).catch(() => undefined);
}

async function nearestFolder(root: string, one: string): Promise<string> {
  for (let at = one; at !== '.'; at = path.posix.dirname(at)) if (await isPlainFolder(root, at)) return at;
  return '.';
}

async function isPlainFolder(root: string, folder: string): Promise<boolean> {
  let place = root;
  for (const name of folder.split('/')) {
    place = path.join(place, name);
    const here = await lstat(place).catch(() => null);
    if (here?.isDirectory() !== true) return false;
  }
  return true;
}
