import path from 'node:path';
import type { RawChange } from '../../../core/observation/change';
import { type NamedRepository, startsPrograms } from '../../git/facts';
import { fetchedTags } from '../../git/fetchedTags';
import { changeTime, isoOf, type GitFact, posix } from '../../git/files';
import { hasReftable, tablesOf } from '../../git/refs';
import { stagedSince } from '../../git/staged';
import type { Manifest, ManifestFacts } from './manifest';
import { compareFlags, compareGit } from './compare';
import type { LookRequest } from './look';
import type { FolderTimes } from './times';
import { realpath } from 'node:fs/promises';

export interface GitDifference {
  readonly changes: readonly RawChange[];
  /** Tags that a fetch brought; they are no changes. */
  readonly fetched: readonly string[];
  /** Paths staged as the workspace has them, or no longer staged; they are no changes either. */
  readonly staged: readonly string[];
}

/** Returns what differs in the repositories of a workspace. */
export async function gitDifference(
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
  const byLength = [...repositories].sort((left, right) => right.prefix.length - left.prefix.length);
  return (fact: GitFact): string => {
    const of = byLength.find(({ prefix }) => fact.path.startsWith(`${prefix}/`));
    if (of === undefined) return path.join(root, fact.path);
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
  const staged: RawChange = {
    ...hidden('.git/index', `staged otherwise than it is in the workspace: ${names}`),
    kind: 'git',
  };
  return { changes: [...flags, staged], staged: same };
}

/** A change of an index entry has no time, because git rewrites its index at any moment. */
function hidden(file: string, detail: string): RawChange {
  return {
    path: file,
    kind: 'index_flag',
    before_sha256: null,
    after_sha256: null,
    resolved_path: null,
    changed_at: null,
    detail,
  };
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
  return [...new Set(found.map((at) => shown(workspace, at)))];
}

function candidates(root: string, fact: string, repositories: readonly NamedRepository[]): readonly string[] {
  const [, elsewhere] = /\/(?:config includes|excludes at|hooks at) (.+)$/s.exec(fileOfFact(fact)) ?? [];
  if (elsewhere !== undefined) return [path.resolve(root, elsewhere)];
  const of = [...repositories]
    .sort((left, right) => right.prefix.length - left.prefix.length)
    .find(({ prefix }) => fact === prefix || fact.startsWith(`${prefix}/`));
  if (of === undefined) return [path.join(root, fact)];
  const part = fileOfFact(fact.slice(of.prefix.length + 1));
  const { gitDir, commonDir } = of.repository;
  return [path.join(gitDir, part), path.join(commonDir, part)];
}

/** The file of a repository that a fact is about. */
function fileOfFact(part: string): string {
  return part.endsWith(startsPrograms) ? part.slice(0, -startsPrograms.length) : part;
}

/** Resolves a path; if it is gone, names it inside the nearest existing folder. */
async function realPlace(file: string): Promise<string> {
  const real = await realpath(file).catch(() => null);
  if (real !== null) return real;
  const folder = path.dirname(file);
  return folder === file ? file : path.join(await realPlace(folder), path.basename(file));
}

function shown(workspace: string, at: string): string {
  const relative = path.relative(workspace, at);
  if (relative === '') return '.';
  return relative.startsWith('..') || path.isAbsolute(relative) ? posix(at) : posix(relative);
}
