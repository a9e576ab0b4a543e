import { stat } from 'node:fs/promises';
import path from 'node:path';
import { homeFolder } from '../../system/machine';
import { readEntry, type ManifestEntry } from '../../files/entry';
import { dependencyAndBuildFolders, unfollowedFolders } from '../../files/leftOutFolders';
import { emptyReport, relativeInside, walkFrom, type OnEntry, type WalkReport, type WalkRequest } from './walk';

export interface Followed {
  /** The links out of the workspace that were followed, by path, with their target. */
  readonly followed: Map<string, string>;
  readonly notFollowed: readonly Link[];
  /** Links whose target now holds more than can be compared. */
  readonly overflowing: readonly Link[];
}

interface Link {
  readonly path: string;
  readonly target: string;
}

/**
 * Reads the targets of links out of the workspace, so that a write through them shows. `wanted`: exactly these links;
 * null: all that the walk found, within a limit.
 */
export async function followLinks(
  request: WalkRequest,
  report: WalkReport,
  wanted: ReadonlyMap<string, string> | null,
  onEntry: OnEntry,
): Promise<Followed> {
  const followed = new Map<string, string>();
  const notFollowed: Link[] = [];
  const overflowing: Link[] = [];
  const links = wanted === null ? report.outside : [...wanted].map(([path, target]) => ({ path, target }));
  for (const link of links) {
    if ([...followed.values()].includes(link.target)) continue;
    const limit = wanted === null ? outsideLimit : outsideLimit * 10;
    const found = isWorthFollowing(request.root, link.target) ? await readTarget(request, link, limit) : null;
    if (found === null || (found.limited && wanted === null)) {
      notFollowed.push(link);
      continue;
    }
    if (found.limited) overflowing.push(link);
    followed.set(link.path, link.target);
    for (const { entry, same } of found.entries) onEntry(entry, same);
  }
  const targets = new Set(followed.values());
  const reported = new Set([...notFollowed, ...overflowing].map(({ path }) => path));
  notFollowed.push(...report.outside.filter(({ path, target }) => !targets.has(target) && !reported.has(path)));
  return { followed, notFollowed, overflowing };
}

const outsideLimit = 2_000;
const outsideFileBytes = 32 * 1024 * 1024;

async function readTarget(request: WalkRequest, link: Link, limit: number) {
  const entries: { readonly entry: ManifestEntry; readonly same: boolean }[] = [];
  const large_file_bytes = Math.min(request.large_file_bytes, outsideFileBytes);
  const kind = await stat(link.target).catch(() => null);
  if (kind?.isDirectory() !== true) {
    const entry = await readEntry(link.target, link.path, { large_file_bytes });
    if (entry !== null) entries.push({ entry: { ...entry, outside: link.target }, same: false });
    return { entries, limited: false };
  }
  const outside = (inner: string): string => `${link.target}/${inner}`;
  const report = emptyReport();
  const target: WalkRequest = {
    ...request,
    root: path.resolve(link.target),
    folder: (_, name) => (dependencyAndBuildFolders.has(name) ? 'leave_out' : 'enter'),
    always: [],
    excluded: [],
    known: (relative) => request.known(outside(relative)),
    large_file_bytes,
    limit,
  };
  const start = { native: target.root, path: '', whole: false, nested: false };
  await walkFrom(target, report, start, (entry, same) => {
    const named = same ? entry : { ...entry, path: `${link.path}/${entry.path}`, outside: outside(entry.path) };
    entries.push({ entry: named, same });
  });
  return { entries, limited: report.limited };
}

/** Refuses a folder that holds the workspace or the person's home, and a view of the kernel. */
function isWorthFollowing(root: string, target: string): boolean {
  const real = path.resolve(target);
  const holds = (inner: string): boolean => real === inner || relativeInside(real, inner) !== null;
  const home = homeFolder();
  if (holds(root) || (home !== null && holds(home))) return false;
  return !unfollowedFolders.some((folder) => real === folder || real.startsWith(`${folder}/`));
}
