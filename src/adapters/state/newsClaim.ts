import { createHash } from 'node:crypto';
import { lstat, mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../base/outcome';
import { isPathId, type StateFolder } from './folder';

/** Folder of a mission in which each piece of news that a person was told leaves an empty file. */
const folderName = 'notified';

/**
 * Claims a piece of news of a mission: true for one of all processes that ever ask. Where no file can be made nobody
 * can say, and true lets a person hear of it twice rather than never. Follows no link.
 */
export async function claimNews(folder: StateFolder, missionId: string, key: string): Promise<boolean> {
  if (!isPathId(missionId)) return true;
  const mission = folder.missionDir(missionId);
  const place = path.join(mission, folderName);
  try {
    if (!(await lstat(mission)).isDirectory()) return true;
    await mkdir(place, { mode: 0o700 }).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
    if (!(await lstat(place)).isDirectory()) return true;
    const name = createHash('sha256').update(key).digest('hex').slice(0, 32);
    await (await open(path.join(place, name), 'wx', 0o600)).close();
    return true;
  } catch (error) {
    return errorCode(error) !== 'EEXIST';
  }
}
