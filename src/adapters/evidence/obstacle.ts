import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { MovedObstacle } from '../../core/model/facts';
import { renameFile } from '../files/atomic';
import { errorCode } from '../../base/outcome';
import { stateFolderName } from '../state/folder';
import { makeFoldersFor } from '../files/place';

/**
 * Moves into the mission folder whatever keeps a file from being written: above the file, anything but a folder; at its
 * place, anything but a file. Renames it; never opens, follows or deletes it.
 *
 * @throws the file system's own error.
 */
export async function clearWay(
  workspaceRoot: string,
  relative: string,
  missionId: string,
): Promise<readonly MovedObstacle[]> {
  const root = await realpath(workspaceRoot);
  const aside = `${stateFolderName}/missions/${missionId}/moved-aside`;
  const parts = relative.split('/');
  for (let length = 1; length <= parts.length; length += 1) {
    const at = parts.slice(0, length).join('/');
    const absolute = path.join(root, ...parts.slice(0, length));
    const stats = await lstat(absolute).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    });
    if (stats === null) return [];
    const fits = length === parts.length ? stats.isFile() : stats.isDirectory();
    if (fits) continue;
    // Fails here, because a folder cannot be moved into itself.
    if (`${aside}/`.startsWith(`${at}/`)) throw new Error(`${at} is not a folder`);
    for (let n = 1; ; n += 1) {
      const moved_to = `${aside}/${n}-${parts[length - 1] ?? ''}`;
      const place = await makeFoldersFor(root, moved_to, 0o700);
      if (place.kind === 'refused') throw new Error(place.reason);
      if (await isThere(place.absolute)) continue;
      await renameFile(absolute, place.absolute);
      return [{ path: at, moved_to }];
    }
  }
  return [];
}

async function isThere(absolute: string): Promise<boolean> {
  return lstat(absolute).then(
    () => true,
    (error: unknown) => {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    },
  );
}
