import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { gitFacts, type GitFact } from './gitFacts';
import { readUntracked, type IndexFacts } from './gitIndex';
import { repositoryAt, type Repository } from './gitLocate';
import { readEntry, type ManifestEntry } from './manifestEntry';
import { dependencyAndBuildFolders, dependencyFolders, unfollowedFolders } from './manifestFolders';
import { nativeOf } from './manifestNames';
import { isInside, readSome, relativeInside, walk, type WalkReport } from './manifestWalk';

export interface ScanRequest {
  /** Real absolute path of the workspace. */
  readonly root: string;
  readonly repository: Repository | null;
  readonly index: IndexFacts | null;
  /** Whether build folders are left out; decided once per baseline, so that a difference compares like with like. */
  readonly leaveOutBuilds: boolean;
  readonly always: readonly string[];
  readonly excluded: readonly string[];
  readonly known: (key: string) => ManifestEntry | null;
  readonly fresh_since_ns: bigint;
  readonly large_file_bytes: number;
  /** Links out of the workspace to read: null for those found, within a limit; else exactly these. */
  readonly follow: ReadonlyMap<string, string> | null;
}

export interface ScanReport extends WalkReport {
  /** Links that were read, by path. */
  readonly followed: Map<string, string>;
  readonly notFollowed: { readonly path: string; readonly target: string }[];
  /** Links whose target holds more than can be compared now. */
  readonly overflowing: { readonly path: string; readonly target: string }[];
}

/** Everything that is compared, in the order it is found; `key` of an entry outside is its absolute path. */
export async function scan(
  request: ScanRequest,
  onEntry: (entry: ManifestEntry) => Promise<void> | void,
): Promise<ScanReport> {
  const leftOut = request.leaveOutBuilds ? dependencyAndBuildFolders : dependencyFolders;
  const walkRequest = { ...request, leftOut };
  const report = await walk(walkRequest, onEntry);
  await readListed(request, walkRequest, report, onEntry);
  const links: ScanReport = { ...report, followed: new Map(), notFollowed: [], overflowing: [] };
  const wanted =
    request.follow === null ? report.outside : [...request.follow].map(([path, target]) => ({ path, target }));
  for (const link of wanted) await follow(request, link, links, onEntry);
  const targets = new Set(links.followed.values());
  const told = new Set([...links.notFollowed, ...links.overflowing].map(({ path }) => path));
  links.notFollowed.push(...report.outside.filter(({ path, target }) => !targets.has(target) && !told.has(path)));
  return links;
}

/** Flags of the index, with what git could not say as one more: then something hides files from us. */
export function scanFlags(request: ScanRequest, report: WalkReport): ReadonlyMap<string, string> {
  const flags = new Map(request.index?.ok === true ? request.index.flags : []);
  if (report.unlisted !== null) flags.set('.git/index', `untracked files cannot be listed: ${report.unlisted}`);
  return flags;
}

/** Facts of the repository the workspace is in, and of every repository inside it. */
export async function scanGit(request: ScanRequest, report: WalkReport): Promise<readonly GitFact[]> {
  const facts: GitFact[] = [];
  if (request.repository !== null) facts.push(...(await gitFacts(request.repository, '.git')));
  for (const dotGit of report.repositories.filter((found) => found !== '.git')) {
    const inner = await repositoryAt(path.dirname(path.join(request.root, dotGit)));
    if (inner !== null) facts.push(...(await gitFacts(inner, dotGit)));
  }
  return facts;
}

/** Inside left-out folders: what git tracks and what it would add. */
async function readListed(
  request: ScanRequest,
  walkRequest: Parameters<typeof readSome>[0],
  report: WalkReport,
  onEntry: (entry: ManifestEntry) => Promise<void> | void,
): Promise<void> {
  if (report.skipped.size === 0 || request.repository === null || request.index?.ok !== true) return;
  const untracked = await readUntracked(request.repository, request.root);
  if (!untracked.ok) report.unlisted = untracked.reason;
  const inside = [...request.index.tracked, ...(untracked.ok ? untracked.paths : [])].filter(
    (listed) => isInside(listed.path, report.skipped) && !report.insideSkipped.has(listed.path),
  );
  for (const listed of inside) report.insideSkipped.add(listed.path);
  const files = inside.map((listed) => ({
    native: nativeOf(request.root, listed.path, listed.raw),
    path: listed.path,
  }));
  await readSome(walkRequest, report, files, onEntry);
}

const outsideLimit = 2_000;
const outsideFileBytes = 32 * 1024 * 1024;

/** Reads what a link out of the workspace leads to, so that a write through it shows. */
async function follow(
  request: ScanRequest,
  link: { readonly path: string; readonly target: string },
  report: ScanReport,
  onEntry: (entry: ManifestEntry) => Promise<void> | void,
): Promise<void> {
  if ([...report.followed.values()].some((target) => target === link.target)) return;
  if (!isWorthFollowing(request.root, link.target)) {
    report.notFollowed.push(link);
    return;
  }
  const kind = await stat(link.target).catch(() => null);
  const limit = request.follow === null ? outsideLimit : outsideLimit * 10;
  const found: ManifestEntry[] = [];
  const options = {
    fresh_since_ns: request.fresh_since_ns,
    large_file_bytes: Math.min(request.large_file_bytes, outsideFileBytes),
  };
  if (kind?.isDirectory() === true) {
    const outside = (inner: string): string => `${link.target}/${inner}`;
    const inner = await walk(
      {
        ...options,
        root: path.resolve(link.target),
        leftOut: dependencyAndBuildFolders,
        always: [],
        excluded: [],
        known: (relative) => request.known(outside(relative)),
        limit,
      },
      (entry) => {
        found.push({ ...entry, path: `${link.path}/${entry.path}`, outside: outside(entry.path) });
      },
    );
    if (inner.limited) {
      (request.follow === null ? report.notFollowed : report.overflowing).push(link);
      if (request.follow === null) return;
    }
  } else {
    const entry = await readEntry(link.target, link.path, { ...options, known: request.known(link.target) });
    if (entry !== null) found.push({ ...entry, outside: link.target });
  }
  report.followed.set(link.path, link.target);
  for (const entry of found) await onEntry(entry);
}

/** Not the file system, not the person's home, not what never holds still. */
function isWorthFollowing(root: string, target: string): boolean {
  const real = path.resolve(target);
  const holds = (inner: string): boolean => real === inner || relativeInside(real, inner) !== null;
  if (holds(root) || holds(homedir())) return false;
  return !unfollowedFolders.some((folder) => real === folder || real.startsWith(`${folder}/`));
}
