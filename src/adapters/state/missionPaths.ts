import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PathComparison } from '../../core/paths/compare';
import type { MissionPaths } from '../../engine/ports/engine';
import { homeFolder } from '../system/machine';
import { realOf } from '../files/outside';
import { pathId, stateFolderName, stateFolderOf } from './folder';
import { readComparison } from '../files/bytes/letterCase';

/**
 * Paths of an existing workspace folder, compared by the rules of its file system. `own`: folders of Mission Control,
 * which may lie inside.
 */
export async function readMissionPaths(workspaceDir: string, own: readonly string[] = []): Promise<MissionPaths> {
  return createMissionPaths(workspaceDir, await readComparison(workspaceDir), own);
}

/** Accepts two spellings of the root, because a workspace folder may be reached through a link. */
export function createMissionPaths(
  workspaceDir: string,
  comparison: PathComparison,
  own: readonly string[] = [],
): MissionPaths {
  const opened = path.resolve(workspaceDir);
  const resolved = realpathSync(opened);
  const roots = [...new Set([opened, resolved])];
  const windows = process.platform === 'win32';
  const home = homeFolder();
  return {
    workspace_dir: opened,
    absolute: (relativePath) => path.join(opened, ...relativePath.split('/')),
    missionFile: (missionId, name) => `${stateFolderName}/missions/${pathId(missionId)}/${name}`,
    runDir: (missionId, name) => path.join(stateFolderOf(opened).missionDir(missionId), 'runs', pathId(name)),
    places: [
      ...roots.map((root) => ({ path: root, name: '<workspace>' })),
      ...(home === null ? [] : [{ path: home, name: '<home>' }]),
      ...[...new Set([tmpdir(), realOf(tmpdir())])].map((folder) => ({ path: folder, name: '<tmp>' })),
    ],
    scope: { roots, form: windows ? 'windows' : 'posix', comparison },
    own: own
      .map((folder) => relativeTo(roots, folder, comparison.case_insensitive))
      .filter((inside) => inside !== null),
    relative: (reported) => relativeTo(roots, reported, comparison.case_insensitive),
  };
}

function relativeTo(roots: readonly string[], reported: string, caseInsensitive: boolean): string | null {
  const [first] = roots;
  const absolute = path.resolve(first ?? '.', reported);
  for (const root of roots) {
    const inner = caseInsensitive ? samePrefix(root, absolute) : absolute;
    const found = path.relative(root, inner);
    if (found === '..' || found.startsWith(`..${path.sep}`) || path.isAbsolute(found)) continue;
    return found === '' ? '.' : found.split(path.sep).join('/');
  }
  return null;
}

/**
 * Gives the path the root's spelling if they differ only in case, because `path.relative` ignores case on Windows only.
 */
function samePrefix(root: string, absolute: string): string {
  return absolute.slice(0, root.length).toLowerCase() === root.toLowerCase()
    ? root + absolute.slice(root.length)
    : absolute;
}
