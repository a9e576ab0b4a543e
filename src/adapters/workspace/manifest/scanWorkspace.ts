import path from 'node:path';
import { emptyFacts, usualMode, type Manifest, type ManifestNews } from './manifest';
import { freshMilliseconds, keyOf, type ManifestEntry, type NativePath, readEntry, nativeOf } from '../../files/entry';
import { comparedOfJj, isJjFolder, isOfJj } from './jj';
import { listNew, type NewFolder } from './newFolder';
import { dependencyFolders } from '../../../contracts/vocabulary/files/dependencyFolders';
import { buildFolders, jjFolder, dependencyAndBuildFolders, unfollowedFolders } from '../../files/leftOutFolders';
import { wayInside } from '../../files/inside';
import {
  emptyReport,
  isInside,
  readSome,
  walkFrom,
  walkStartsWithin,
  type FolderFate,
  type OnEntry,
  type Walk,
  type WalkReport,
  type WalkRequest,
} from './walk';
import { ignoredFolders, readKept, type IndexFacts } from '../../git/index';
import { type NamedRepository, gitFacts, type RepositoryFacts } from '../../git/facts';
import { bareRepositoryAt, InnerRepositories, type Repository, repositoryAt } from '../../git/locate';
import type { GitFact } from '../../git/files';
import { stat } from 'node:fs/promises';
import { homeFolder } from '../../system/machine';

export interface LookRequest extends Pick<WalkRequest, 'root' | 'always' | 'excluded' | 'large_file_bytes'> {
  readonly repository: Repository | null;
  readonly index: IndexFacts | null;
  /** An earlier manifest; files that match it are not read again. Null: every file is read. */
  readonly before: Manifest | null;
  /**
   * `baseline`: decides which folders are left out, and keeps the decisions that `before` took in the same mission.
   * `first_baseline`: decides anew. `difference`: keeps the decisions of `before` and reads new folders of such names.
   */
  readonly purpose: 'baseline' | 'first_baseline' | 'difference';
}

export interface LookReport extends WalkReport, Followed {
  /** New folders of names that baselines leave out, too large to report each file. */
  readonly newFolders: readonly NewFolder[];
}

export interface Look extends ManifestNews {
  readonly repositories: readonly NamedRepository[];
  readonly report: LookReport;
}

/** Reads the workspace: the entries that differ from `before`, and all facts that are no files. */
export async function look(request: LookRequest): Promise<Look> {
  const { before } = request;
  const gone = new Set(before?.entries.keys());
  // A map, because a link inside a left-out folder may lead to a file that is read anyway.
  const put = new Map<string, ManifestEntry>();
  const onEntry: OnEntry = (entry, same) => {
    const key = keyOf(entry);
    gone.delete(key);
    if (!same && JSON.stringify(before?.entries.get(key)) !== JSON.stringify(entry)) put.set(key, entry);
  };
  const walkRequest: WalkRequest = {
    ...request,
    folder: fateOf(request),
    known: (key) => before?.entries.get(key),
    fresh_since_ms: before === null ? 0 : before.header.started_ms - freshMilliseconds,
  };
  const report = emptyReport();
  const walk: Walk = { request: walkRequest, report, onEntry };
  await walkFrom(walk, { native: request.root, path: '', whole: request.always.includes('.'), nested: false });
  const { entered, newFolders } = await decideLater(request, walk);
  await walkStartsWithin(walk, [...report.skipped, ...newFolders.map(({ path }) => path)]);
  await readListed(request, walk);
  await readOfJj(request, walk);
  const follow = request.purpose === 'difference' ? (before?.facts.followed ?? new Map<string, string>()) : null;
  const links = await followLinks(walk, follow);
  const { facts, repositories } = await factsOfGit(request, report, links, entered);
  return { put: [...put.values()], gone, facts, repositories, report: { ...report, ...links, newFolders } };
}

/** Delays folders of these names until it is decided whether they are left out. */
function fateOf({ before, purpose, index }: LookRequest) {
  const decided = purpose === 'first_baseline' ? null : before?.facts.folder;
  const builds = purpose === 'difference' ? (before?.header.index ?? false) : index?.ok === true;
  return (path: string, name: string, nested: boolean): FolderFate => {
    const isCandidate =
      dependencyFolders.has(name) || name === jjFolder || (builds && !nested && buildFolders.has(name));
    if (!isCandidate) return 'enter';
    const fate = decided?.get(path);
    return fate === undefined ? 'later' : fate === 'left_out' ? 'leave_out' : 'enter';
  };
}

/** Decides about new folders: a baseline leaves out those that git ignores, a difference reads them. */
async function decideLater(request: LookRequest, walk: Walk) {
  const { report } = walk;
  const entered = new Set<string>();
  const newFolders: NewFolder[] = [];
  while (report.later.length > 0) {
    const folders = report.later;
    report.later = [];
    const left = request.purpose === 'difference' ? null : await leftOutOf(request, folders);
    for (const folder of folders) {
      if (left?.has(folder.path) === true) {
        report.skipped.add(folder.path);
        continue;
      }
      const large = left === null ? await listNew(folder) : null;
      if (large !== null) {
        newFolders.push(large);
        continue;
      }
      entered.add(folder.path);
      await walkFrom(walk, folder);
    }
  }
  return { entered, newFolders };
}

/** Folders of jj, and those that the repository around them ignores. If it cannot say, those whose name one tool gives. */
async function leftOutOf(request: LookRequest, found: WalkReport['later']) {
  const left = new Set(found.flatMap(({ path, native }) => (isJjFolder(path) && isOfJj(native) ? [path] : [])));
  const folders = found.flatMap(({ path }) => (isJjFolder(path) ? [] : [path]));
  for (const { repository, native, paths, outer } of await byRepository(request, folders)) {
    const ignored = repository === null ? null : await ignoredFolders(repository, native, paths, 'user');
    for (const path of paths)
      if (ignored?.has(path) ?? dependencyFolders.has(path.slice(path.lastIndexOf('/') + 1))) left.add(outer(path));
  }
  return left;
}

/** Reads, inside left-out folders, files that the repositories around them track or would add. */
async function readListed(request: LookRequest, walk: Walk): Promise<void> {
  const { report } = walk;
  const files: { readonly native: NativePath; readonly path: string }[] = [];
  for (const { repository, native, paths, outer } of await byRepository(request, [...report.skipped])) {
    if (repository === null) continue;
    const kept = await readKept(repository, native, paths);
    if (!kept.ok) report.unlisted = kept.reason;
    for (const { path, raw } of kept.ok ? kept.paths : []) {
      if (report.insideSkipped.has(outer(path))) continue;
      report.insideSkipped.add(outer(path));
      files.push({ native: nativeOf(native, path, raw), path: outer(path) });
    }
  }
  await readSome(walk, files);
}

/** Groups paths by the innermost repository around each; null: without one, or one whose index git cannot read. */
async function byRepository({ repository, index, root }: LookRequest, all: readonly string[]) {
  const own = { repository: index?.ok === true ? repository : null, native: root, outer: (path: string) => path };
  const groups = await new InnerRepositories(root).groups(all);
  return [...groups].map(([inner, paths]) =>
    inner === null
      ? { ...own, paths }
      : {
          repository: inner.repository,
          native: path.join(root, inner.at),
          outer: (name: string) => `${inner.at}/${name}`,
          paths: paths.map((name) => name.slice(inner.at.length + 1)),
        },
  );
}

/** Reads, inside the folders of jj, the files that make it start programs or lead it elsewhere. */
async function readOfJj({ root }: LookRequest, walk: Walk): Promise<void> {
  const { report } = walk;
  const inside = [...report.skipped].filter(isJjFolder).flatMap(comparedOfJj);
  const named = inside.filter((path) => !report.insideSkipped.has(path));
  for (const path of named) report.insideSkipped.add(path);
  const files = named.map((path) => ({ native: nativeOf(root, path, undefined), path }));
  await readSome(walk, files);
}

async function factsOfGit(
  request: LookRequest,
  report: WalkReport,
  links: Followed,
  entered: ReadonlySet<string>,
): Promise<Pick<Look, 'facts' | 'repositories'>> {
  const { index, before, purpose } = request;
  const { repositories, ...git } = await readGit(request, report);
  const facts = { ...emptyFacts(), ...git, followed: links.followed };
  for (const { path, code } of report.unreadable) facts.unreadable.set(path, code);
  for (const [path, mode] of report.modes) if (path === '' || mode !== usualMode) facts.mode.set(path, mode);
  for (const path of entered) facts.folder.set(path, 'entered');
  for (const path of report.skipped) facts.folder.set(path, 'left_out');
  if (purpose === 'baseline') {
    for (const [path, fate] of before?.facts.folder ?? []) if (fate === 'entered') facts.folder.set(path, fate);
  }
  if (index?.ok === true) {
    for (const [path, flag] of index.flags) facts.flag.set(path, flag);
    for (const [path, as] of index.staged) facts.staged.set(path, as);
  }
  // Reports it, because files may be hidden from the look.
  if (report.unlisted !== null) facts.flag.set('.git/index', `untracked files cannot be listed: ${report.unlisted}`);
  return { facts, repositories };
}

/** Facts of the repository that holds the workspace, and of every repository inside it. */
async function readGit(
  { repository, root, excluded }: { repository: Repository | null; root: string; excluded: readonly string[] },
  report: WalkReport,
): Promise<{
  readonly git: Map<string, GitFact>;
  readonly remote: Map<string, string>;
  readonly repositories: readonly NamedRepository[];
}> {
  const notSeen = new Set([...report.skipped, ...excluded, ...report.repositories]);
  const isSeen = (absolute: string): boolean => {
    const relative = wayInside(root, absolute) ?? '';
    return relative !== '' && !notSeen.has(relative) && !isInside(relative, notSeen);
  };
  const found: RepositoryFacts[] = [];
  if (repository !== null) found.push(...(await gitFacts({ repository, prefix: '.git' }, isSeen)));
  for (const prefix of report.repositories.filter((dotGit) => dotGit !== '.git')) {
    const top = path.dirname(path.join(root, prefix));
    const inner = (await repositoryAt(top)) ?? (await bareRepositoryAt(top));
    // Skips a submodule, because its git folder lies in ours and was read there.
    if (inner === null || found.some((one) => one.repository.gitDir === inner.gitDir)) continue;
    found.push(...(await gitFacts({ repository: inner, prefix }, isSeen)));
  }
  const git = new Map(found.flatMap(({ facts }) => facts.map((fact) => [fact.path, fact] as const)));
  const remote = new Map(
    found.flatMap(({ prefix, remotes }) =>
      [...remotes].map(([name, commit]) => [`${prefix}/${name}`, commit] as const),
    ),
  );
  return { git, remote, repositories: found.map(({ prefix, repository }) => ({ prefix, repository })) };
}

interface Followed {
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
async function followLinks(
  { request, report, onEntry }: Walk,
  wanted: ReadonlyMap<string, string> | null,
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
  const onEntry: OnEntry = (entry, same) => {
    const named = same ? entry : { ...entry, path: `${link.path}/${entry.path}`, outside: outside(entry.path) };
    entries.push({ entry: named, same });
  };
  await walkFrom({ request: target, report, onEntry }, { native: target.root, path: '', whole: false, nested: false });
  return { entries, limited: report.limited };
}

/** Refuses a folder that holds the workspace or the person's home, and a view of the kernel. */
function isWorthFollowing(root: string, target: string): boolean {
  const real = path.resolve(target);
  const holds = (inner: string): boolean => wayInside(real, inner) !== null;
  const home = homeFolder();
  if (holds(root) || (home !== null && holds(home))) return false;
  return !unfollowedFolders.some((folder) => real === folder || real.startsWith(`${folder}/`));
}
