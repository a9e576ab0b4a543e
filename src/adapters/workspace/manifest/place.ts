import { createHash } from 'node:crypto';
import path from 'node:path';
import { isPathId } from '../../state/folder';

/**
 * Where the baselines of a mission are kept: in a folder of this user's that no worker is told of, by workspace (its
 * real absolute path) and mission. Everything that reads, writes or deletes one gets its place from here.
 *
 * @throws RangeError when the id is not `isPathId`.
 */
export function manifestsOf(userState: string, workspace: string, missionId: string): string {
  if (!isPathId(missionId)) throw new RangeError(`not usable as a file name: ${JSON.stringify(missionId)}`);
  const key = createHash('sha256').update(workspace).digest('hex').slice(0, 32);
  return path.join(allManifests(userState), key, missionId, 'manifests');
}

/** What comes and goes while workers run, here and in other workspaces. */
export function allManifests(userState: string): string {
  return path.join(userState, 'workspaces');
}
