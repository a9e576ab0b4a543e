import { createHash } from 'node:crypto';
import { lstat, mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, valueOn } from '../../base/outcome';
import { isPathId, type StateFolder } from './folder';

/** Folder of a mission that holds one empty file for each notification shown to a person. */
const folderName = 'notified';

/**
 * True for exactly one of all processes that ask with this key, and where the file cannot be made: a second
 * notification does less harm than none. Follows no link.
 */
export async function notifyOnce(folder: StateFolder, missionId: string, key: string): Promise<boolean> {
  if (!isPathId(missionId)) return true;
  const mission = folder.missionDir(missionId);
  const place = path.join(mission, folderName);
  try {
    if (!(await lstat(mission)).isDirectory()) return true;
    await mkdir(place, { mode: 0o700 }).catch(valueOn(undefined, 'EEXIST'));
    if (!(await lstat(place)).isDirectory()) return true;
    const name = createHash('sha256').update(key).digest('hex').slice(0, 32);
    await (await open(path.join(place, name), 'wx', 0o600)).close();
    return true;
  } catch (error) {
    return errorCode(error) !== 'EEXIST';
  }
}
