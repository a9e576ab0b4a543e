import type { Stats } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RawChange } from '../../../core/observation/change';
import { isDeskFile } from '../../../base/leftovers';
import { changeTime, isoOf, type GitFact } from '../../git/files';
import { realPlace, shownFrom } from '../../files/inside';
import type { Manifest, ManifestFacts } from './manifest';
import { added, addedFolder, bareChange, compareEntries, deleted, compareFlags, compareGit } from './compare';
import { keyOf, nativeOf, readEntry, type ManifestEntry } from '../../files/entry';
import { look, type LookReport, type LookRequest } from './scanWorkspace';
import { FolderTimes, isAfter } from './times';
import { isInside } from './walk';
import { type NamedRepository, startsPrograms } from '../../git/facts';
import { gitStandings } from '../../git/ignored';
import { fetchedTags, hasReftable, tablesOf } from '../../git/refs';
import { stagedSince } from '../../git/staged';

export interface Difference extends Omit<GitDifference, 'changes'> {
  readonly changes: readonly RawChange[];
  readonly report: LookReport;
}

export async function findDifference(
  request: Omit<LookRequest, 'before' | 'purpose'>,
  baseline: Manifest,
): Promise<Difference> {
  const { put, gone, facts, repositories, report } = await look({
    ...request,
    before: baseline,
    purpose: 'difference',
  });
  const times = new FolderTimes(request.root, baseline.header.started_ms);
  const changes: RawChange[] = [];
  for (const entry of put) {
    const before = baseline.entries.get(keyOf(entry));
    // A file in a left-out folder may be older than the baseline, because changed ignore rules make git list others.
    const wasThere = isInside(entry.path, report.skipped) && !isAfter(entry.ctime_ms, baseline.header.started_ms);
    if (before === undefined && !wasThere) changes.push(added(entry, times.ofAdded(entry)));
    const change = before === undefined ? null : await changeOf(request, before, entry, times);
    if (change !== null) changes.push(change);
  }
  for (const folder of report.newFolders) changes.push(addedFolder(folder, times.ofAdded(folder)));
  changes.push(...(await missing(request, baseline, gone, report, times)));
  changes.push(...(await closed(request, baseline, report)));
  changes.push(...overflowing(report));
  const { changes: ofGit, ...git } = await gitDifference(request, baseline, facts, repositories, times);
  changes.push(...ofGit);
  changes.sort((left, right) =>
    left.path < right.path ? -1 : left.path > right.path ? 1 : left.kind < right.kind ? -1 : 1,
  );
  const left = changes.flatMap(({ path: at, kind }) => (kind !== 'git' && isDeskFile(at) ? [at] : []));
  const standings = left.length === 0 ? [] : await gitStandings(request.root, left);
  const tracked = new Set(left.filter((_, at) => standings[at] === 'tracked'));
  const linked = await linkedElsewhere(request.root, changes, () => {
    const kept = [...baseline.entries].flatMap(([key, entry]) => (gone.has(key) ? [] : [[key, entry] as const]));
    return new Map([...kept, ...put.map((entry) => [keyOf(entry), entry] as const)]).values();
  });
  const marked = changes.map((one) => ({
    ...one,
    ...(tracked.has(one.path) && { tracked: true as const }),
    ...(linked.has(one.path) && { linked: true as const }),
  }));
  return { changes: marked, report, ...git };
}

/** Finds changed files with more names than the workspace shows. `now`: all its entries. */
async function linkedElsewhere(
  root: string,
  changes: readonly RawChange[],
  now: () => Iterable<ManifestEntry>,
): Promise<ReadonlySet<string>> {
  const several = new Map<string, Stats>();
  for (const { path: at, kind } of changes) {
    if (kind === 'git' || kind === 'index_flag') continue;
    const stats = await lstat(path.join(root, at)).catch(() => null);
    if (stats?.isFile() === true && stats.nlink > 1) several.set(at, stats);
  }
  const shown = new Map<number, number>();
  for (const { inode } of several.size === 0 ? [] : now()) shown.set(inode, (shown.get(inode) ?? 0) + 1);
  return new Set([...several].flatMap(([at, { ino, nlink }]) => ((shown.get(ino) ?? 0) < nlink ? [at] : [])));
}

async function changeOf(
  request: Pick<LookRequest, 'root' | 'large_file_bytes'>,
  before: ManifestEntry,
  entry: ManifestEntry,
  times: FolderTimes,
): Promise<RawChange | null> {
  const change = compareEntries(before, entry);
  if (change === null) return null;
  // It may have come with a moved folder.
  if (before.inode !== entry.inode) return { ...change, changed_at: times.ofAdded(entry) };
  if (!hasStaleTimestamp(before, entry)) return change;
  const after = await rereadUntilSettled(request, before, entry);
  return after === null ? deleted(before, times.ofDeleted(before)) : compareEntries(before, after);
}

/**
 * Returns whether content is new while the change time is old. That occurs, because a file system
 * may show a truncated file before it updates the time.
 */
function hasStaleTimestamp(before: ManifestEntry, after: ManifestEntry): boolean {
  return before.sha256 !== after.sha256 && before.inode === after.inode && before.ctime_ms === after.ctime_ms;
}

/** Rereads the file until its time is updated too, for at most 76 ms; null: it was deleted meanwhile. */
async function rereadUntilSettled(
  request: Pick<LookRequest, 'root' | 'large_file_bytes'>,
  before: ManifestEntry,
  entry: ManifestEntry,
): Promise<ManifestEntry | null> {
  const native = entry.outside ?? nativeOf(request.root, entry.path, entry.raw);
  for (const wait of [1, 5, 20, 50]) {
    await sleep(wait);
    const found = await readEntry(native, entry.path, request);
    if (found === null) return null;
    if (hasStaleTimestamp(before, found)) continue;
    const { raw, outside, resolved } = entry;
    return { ...(raw && { raw }), ...(outside && { outside }), ...(resolved && { resolved }), ...found };
  }
  return entry;
}

/** Entries of the baseline that the walk did not find: deleted, or in a folder that git no longer lists. */
async function missing(
  request: Pick<LookRequest, 'root' | 'large_file_bytes'>,
  baseline: Manifest,
  gone: ReadonlySet<string>,
  report: LookReport,
  times: FolderTimes,
): Promise<readonly RawChange[]> {
  const unreadable = new Set(report.unreadable.map((found) => found.path));
  const changes: RawChange[] = [];
  for (const key of gone) {
    const before = baseline.entries.get(key);
    if (before === undefined || unreadable.has('') || isInside(before.path, unreadable)) continue;
    if (before.outside === undefined && isInside(before.path, report.skipped)) {
      const after = await readEntry(nativeOf(request.root, before.path, before.raw), before.path, request);
      const change = after === null ? null : compareEntries(before, after);
      if (change !== null) changes.push(change);
      if (after !== null) continue;
    }
    changes.push(deleted(before, times.ofDeleted(before)));
  }
  return changes;
}

/** Reports folders that became unreadable, because their content is unknown. */
async function closed(
  request: Pick<LookRequest, 'root'>,
  baseline: Manifest,
  report: LookReport,
): Promise<readonly RawChange[]> {
  const changes: RawChange[] = [];
  for (const found of report.unreadable) {
    if (baseline.facts.unreadable.has(found.path)) continue;
    const folder = path.join(request.root, found.path);
    const stats = await lstat(folder).catch(() => null);
    if (stats?.isDirectory() !== true) continue;
    const detail = `folder can no longer be read (${found.code})`;
    changes.push({
      ...bareChange(found.path === '' ? '.' : found.path, 'mode_changed', detail),
      changed_at: changeTime(folder),
    });
  }
  return changes;
}

function overflowing(report: LookReport): readonly RawChange[] {
  const detail = 'leads to a folder that holds far more than before';
  return report.overflowing.map(({ path, target }) => ({
    ...bareChange(path, 'modified', detail),
    resolved_path: target,
  }));
}

interface GitDifference {
  readonly changes: readonly RawChange[];
  /** Tags that a fetch brought; they are no changes. */
  readonly fetched: readonly string[];
  /** Paths staged as the workspace has them, or no longer staged; they are no changes either. */
  readonly staged: readonly string[];
}

/** Returns what differs in the repositories of a workspace. */
async function gitDifference(
  request: Pick<LookRequest, 'root' | 'repository' | 'index'>,
  baseline: Manifest,
  facts: ManifestFacts,
  repositories: readonly NamedRepository[],
  times: FolderTimes,
): Promise<GitDifference> {
  const after = new Map(facts.git);
  const fetched: string[] = [];
  const maybe = new Set<string>();
  for (const named of repositories) {
    const tags = await newTags(named, baseline, after);
    for (const tag of tags.known) after.delete(tag);
    fetched.push(...tags.known);
    for (const tag of tags.maybe) maybe.add(tag);
  }
  const placeOf = placesIn(request, repositories);
  const changedAt = (fact: GitFact, gone: boolean): string | null =>
    gone
      ? changeTime(placeOf(fact))
      : times.ofAdded({ path: fact.path, outside: placeOf(fact), ctime_ms: Date.parse(fact.changed_at) });
  const changes = compareGit(baseline.facts.git, after, changedAt).map((change) =>
    // Neither certainly the worker's nor certainly a fetch's, so a person decides.
    maybe.has(change.path)
      ? { ...change, changed_at: null, detail: `${change.detail ?? ''}, as a fetch brings it` }
      : change,
  );
  const index = await indexDifference(request, baseline, facts);
  const all = await Promise.all(
    [...changes, ...index.changes].map(async (change): Promise<RawChange> => {
      const fact = change.kind === 'index_flag' ? '.git/index' : change.path;
      return { ...change, lies_at: await liesAt(request.root, fact, repositories) };
    }),
  );
  return { changes: all, fetched: fetched.sort(), staged: index.staged };
}

async function newTags({ prefix, repository }: NamedRepository, baseline: Manifest, after: Map<string, GitFact>) {
  const isNew = (fact: GitFact): boolean =>
    fact.path.startsWith(`${prefix}/refs/tags/`) && !baseline.facts.git.has(fact.path);
  const tags = [...after.values()].filter(isNew);
  if (tags.length === 0) return { known: [], maybe: [] };
  const remotes = [...baseline.facts.remote].flatMap(([name, commit]) =>
    name.startsWith(`${prefix}/refs/remotes/`) ? [commit] : [],
  );
  return fetchedTags(repository, tags, remotes, isoOf(baseline.header.started_ms));
}

/** Finds the place of a fact. */
function placesIn({ root }: Pick<LookRequest, 'root'>, repositories: readonly NamedRepository[]) {
  return (fact: GitFact): string => {
    const of = repositoryOf(fact.path, repositories);
    if (of === undefined || of.prefix === fact.path) return path.join(root, fact.path);
    const part = fileOfFact(fact.path.slice(of.prefix.length + 1));
    if (/^(HEAD$|refs\/)/.test(part) && hasReftable(of.repository)) return tablesOf(of.repository, part);
    return path.join(part === 'HEAD' ? of.repository.gitDir : of.repository.commonDir, part);
  };
}

async function indexDifference(
  { repository, index }: Pick<LookRequest, 'repository' | 'index'>,
  baseline: Manifest,
  facts: ManifestFacts,
): Promise<Omit<GitDifference, 'fetched'>> {
  if (!baseline.header.index) return { changes: [], staged: [] };
  if (repository === null || index === null) return { changes: [hidden('.git', 'the repository is gone')], staged: [] };
  if (!index.ok)
    return { changes: [hidden('.git/index', `git can no longer read the index: ${index.reason}`)], staged: [] };
  const flags = compareFlags(baseline.facts.flag, facts.flag, index.isTracked);
  if (index.unstaged !== null) return { changes: flags, staged: [] };
  const { same, other } = await stagedSince(repository.top, baseline.facts.staged, facts.staged);
  if (other.length === 0) return { changes: flags, staged: same };
  const names = other.length > 20 ? `${other.slice(0, 20).join(', ')} and ${other.length - 20} more` : other.join(', ');
  const staged = bareChange('.git/index', 'git', `staged otherwise than it is in the workspace: ${names}`);
  return { changes: [...flags, staged], staged: same };
}

/** A change of an index entry has no time, because git rewrites its index at any moment. */
function hidden(file: string, detail: string): RawChange {
  return bareChange(file, 'index_flag', detail);
}

/**
 * Finds the files of git facts on the disk. Follows links, and returns both folders of a repository, because a fact
 * does not say which one holds it. POSIX, relative to the workspace, absolute outside it.
 */
async function liesAt(
  root: string,
  fact: string,
  repositories: readonly NamedRepository[],
): Promise<readonly string[]> {
  const workspace = await realpath(root).catch(() => root);
  const found = await Promise.all(candidates(root, fact, repositories).map(realPlace));
  return [...new Set(found.map((at) => shownFrom(workspace, at)))];
}

function candidates(root: string, fact: string, repositories: readonly NamedRepository[]): readonly string[] {
  const [, elsewhere] = /\/(?:config includes|excludes at|hooks at) (.+)$/s.exec(fileOfFact(fact)) ?? [];
  if (elsewhere !== undefined) return [path.resolve(root, elsewhere)];
  const of = repositoryOf(fact, repositories);
  if (of === undefined) return [path.join(root, fact)];
  const part = fileOfFact(fact.slice(of.prefix.length + 1));
  const { gitDir, commonDir } = of.repository;
  return [path.join(gitDir, part), path.join(commonDir, part)];
}

/** The innermost repository that a fact is about. */
function repositoryOf(fact: string, repositories: readonly NamedRepository[]): NamedRepository | undefined {
  return repositories
    .toSorted((left, right) => right.prefix.length - left.prefix.length)
    .find(({ prefix }) => fact === prefix || fact.startsWith(`${prefix}/`));
}

/** The file of a repository that a fact is about. */
function fileOfFact(part: string): string {
  return part.endsWith(startsPrograms) ? part.slice(0, -startsPrograms.length) : part;
}
