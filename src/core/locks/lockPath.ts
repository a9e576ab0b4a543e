import { caseSensitive, comparisonKey, type PathComparison } from '../paths/compare';
import { pathProblems, readPlace, readWrittenPath, type PathProblem } from '../paths/writtenPath';

/** Facts about the file system: locks are compared by the files they mean, not by their spelling. */
export interface LockSurroundings {
  readonly comparison: PathComparison;
  /** Comparison key of a linked folder or file -> where it leads; null when outside the workspace. */
  readonly targets: ReadonlyMap<string, string | null>;
}
export const plainSurroundings: LockSurroundings = { comparison: caseSensitive, targets: new Map() };

/** Facts about the file system in the form that is journalled. */
export interface FileSystemFacts {
  readonly comparison: PathComparison;
  /** Path of each linked folder or file, relative to the workspace -> path it leads to, null when outside. */
  readonly links: Readonly<Record<string, string | null>>;
}
export const plainFileSystem: FileSystemFacts = { comparison: caseSensitive, links: {} };

/** `links`: path of each linked folder or file, relative to the workspace -> path it leads to, null when outside. */
export function lockSurroundings(
  comparison: PathComparison,
  links: Readonly<Record<string, string | null>>,
): LockSurroundings {
  const targets = new Map<string, string | null>();
  for (const [link, target] of Object.entries(links)) {
    const place = readPlace(link.replaceAll('\\', '/'));
    if (place.ok) targets.set(comparisonKey(place.path, comparison), target);
  }
  return { comparison, targets };
}

/** Says where a path leads through links within the workspace; null when no link changes it. */
export function leadsTo(path: string, { comparison, links }: FileSystemFacts): string | null {
  const place = readPlace(path);
  if (!place.ok) return null;
  const followed = follow(place.path, lockSurroundings(comparison, links));
  return followed.ok && followed.path !== place.path && followed.path !== '.' ? followed.path : null;
}

export type LockPathProblem = PathProblem | 'outside_workspace' | 'link_loop';
export type LockPath =
  /** `path`: normal form as written. `key`: equal for two names of the same file. */
  | { readonly ok: true; readonly path: string; readonly key: string }
  | { readonly ok: false; readonly problem: LockPathProblem };

/** `readWrittenPath` with the contract's tolerance: outer white space, backslashes as slashes, `.` and `/`. */
export function lockPath(resource: string, surroundings: LockSurroundings = plainSurroundings): LockPath {
  const text = resource.trim().replaceAll('\\', '/');
  const written = /^(?=.)\/?(?:\.?\/+)*\.?$/.test(text) ? root : readWrittenPath(text);
  return written.ok ? placedLock(written.path, surroundings) : written;
}

/** `lockPath` for the normal form of a path that exists or is claimed to have changed, with any name. */
export function placedLock(path: string, surroundings: LockSurroundings): LockPath {
  const followed = follow(path, surroundings);
  return followed.ok ? { ok: true, path, key: comparisonKey(followed.path, surroundings.comparison) } : followed;
}

/** Completes the sentence "<path> ...". */
export const lockPathProblems: { readonly [P in LockPathProblem]: string } = {
  ...pathProblems,
  outside_workspace: 'leads out of the workspace through a link',
  link_loop: 'leads through links that lead back to themselves',
};

const root = { ok: true, path: '.' } as const;
const longestTrail = 40;

type Followed =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly problem: LockPathProblem };

/** Replaces the shortest leading part that is a link by its target, until none is a link. */
function follow(start: string, { comparison, targets }: LockSurroundings): Followed {
  if (targets.size === 0) return { ok: true, path: start };
  let path = start;
  for (let step = 0; step < longestTrail; step += 1) {
    const link = firstLink(path, comparison, targets);
    if (link === null) return { ok: true, path };
    const lands = link.target === null ? null : placeOfTarget(link.target.replaceAll('\\', '/'));
    if (lands?.ok !== true) return { ok: false, problem: 'outside_workspace' };
    path = lands.path === '.' ? link.rest || '.' : lands.path + (link.rest === '' ? '' : `/${link.rest}`);
  }
  return { ok: false, problem: 'link_loop' };
}

function firstLink(
  path: string,
  comparison: PathComparison,
  targets: LockSurroundings['targets'],
): { readonly target: string | null; readonly rest: string } | null {
  for (let end = path.indexOf('/'); ; end = path.indexOf('/', end + 1)) {
    const head = end === -1 ? path : path.slice(0, end);
    const target = targets.get(comparisonKey(head, comparison));
    if (target !== undefined) return { target, rest: end === -1 ? '' : path.slice(end + 1) };
    if (end === -1) return null;
  }
}

function placeOfTarget(target: string): ReturnType<typeof readPlace> {
  const place = readPlace(target);
  return !place.ok && place.problem === 'workspace_root' ? root : place;
}
