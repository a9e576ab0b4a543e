import { realpathSync } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PathComparison } from '../../core/paths/compare';
import type { MissionPaths } from '../../engine/ports/engine';
import { homeFolder } from '../system/machine';
import { wayInside, realOf } from '../files/inside';
import { pathId, stateFolderName, stateFolderOf } from './folder';

/** Paths of an existing workspace folder, by the rules of its file system. `own`: folders of Mission Control inside. */
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
    const way = wayInside(root, caseInsensitive ? samePrefix(root, absolute) : absolute);
    if (way !== null) return way === '' ? '.' : way;
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
