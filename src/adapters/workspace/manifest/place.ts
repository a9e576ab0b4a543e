import { createHash } from 'node:crypto';
import path from 'node:path';
import { isPathId } from '../../state/folder';

/**
 * The folder with the baselines of a mission, by workspace (its real absolute path) and mission. It lies in this user's
 * state folder, because no worker learns that place.
 *
 * @throws RangeError if the id is not `isPathId`.
 */
export function manifestsOf(userState: string, workspace: string, missionId: string): string {
  return path.join(missionFolder(userState, workspace, missionId), 'manifests');
}

/** The folder with copies of files from before the mission's tasks. @throws the errors of `manifestsOf`. */
export function copiesOf(userState: string, workspace: string, missionId: string): string {
  return path.join(missionFolder(userState, workspace, missionId), 'copies');
}

/**
 * The folder of caches that commands of the plan write in the sandbox; it is no evidence. `workspace`: its real path.
 */
export function cachesOf(userState: string, workspace: string): string {
  return path.join(workspaceFolder(userState, workspace), 'caches');
}

/** The folder of all baselines, which changes while workers run in this workspace or another. */
export function allManifests(userState: string): string {
  return path.join(userState, 'workspaces');
}

function missionFolder(userState: string, workspace: string, missionId: string): string {
  if (!isPathId(missionId)) throw new RangeError(`not usable as a file name: ${JSON.stringify(missionId)}`);
  return path.join(workspaceFolder(userState, workspace), missionId);
}

function workspaceFolder(userState: string, workspace: string): string {
  const key = createHash('sha256').update(workspace).digest('hex').slice(0, 32);
  return path.join(allManifests(userState), key);
}
