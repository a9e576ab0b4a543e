import { lstatSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { PathStanding, StandingQuery } from '../../core/observation/pathState';
import { askGit, placeOf } from '../git/command';
import { configuredPlaces } from '../git/configPlaces';
import { ownRules } from '../git/excludes';
import { gitFacts, isHookName } from '../git/facts';
import type { GitFact } from '../git/files';
import { readIndex, type IndexFacts } from '../git/index';
import { repositoryAt, type Repository } from '../git/locate';
import { headCommit } from '../git/refs';
import { stagedSince } from '../git/staged';
import { errorCode, modeOf, readEntry } from '../files/entry';
import { linksOnTheWay } from './links';

export interface StandingPlace {
  /** Real absolute path of the workspace. */
  readonly root: string;
  readonly repository: Repository | null;
  readonly index: IndexFacts | null;
  readonly large_file_bytes: number;
}

/** Reads again what is at these paths, because a worker could have changed what an earlier reading kept. */
export async function readStanding(
  place: StandingPlace,
  queries: readonly StandingQuery[],
): Promise<readonly PathStanding[]> {
  const reader = new StandingReader(place);
  const ignored = await reader.ignoredOf(queries);
  const answers: PathStanding[] = [];
  for (const query of queries) answers.push(await reader.read(query, ignored));
  return answers;
}

type Found = Pick<PathStanding, 'found' | 'sha256' | 'mode' | 'says'>;
const nothing = { sha256: null, mode: null, says: null } as const;
const unknown: Found = { found: 'unknown', ...nothing };

class StandingReader {
  private readonly facts = new Map<string, readonly GitFact[]>();
  private readonly owners = new Map<string, Owner | null>();
  private readonly used = new Map<Owner, (absolute: string) => boolean>();

  constructor(private readonly place: StandingPlace) {}

  async read(query: StandingQuery, ignored: ReadonlySet<string>): Promise<PathStanding> {
    const { path: name, kind } = query;
    if (kind === 'git') return { path: name, kind, ...(await this.fact(name)), git: null };
    if (kind === 'index_flag') return { path: name, kind, ...this.flag(name), git: null };
    return { path: name, kind, ...(await this.content(query)), git: await this.gitOf(name, ignored) };
  }

  /** Finds which existing paths git ignores for this user. */
  async ignoredOf(queries: readonly StandingQuery[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    const byOwner = new Map<Owner, string[]>();
    for (const { path: name, kind } of queries) {
      if (kind === 'git' || kind === 'index_flag' || kind === 'added') continue;
      const owner = await this.ownerOf(name);
      if (owner) byOwner.set(owner, [...(byOwner.get(owner) ?? []), name]);
    }
    for (const [owner, names] of byOwner) {
      const place = { ...placeOf(owner.repository), folder: owner.folder };
      const rules = await ownRules(place);
      for (const inner of inLines(names.map((name) => `./${owner.inner(name)}`))) {
        // `check-ignore` rejects literal pathspecs; `./` in front keeps git from reading a name as a pattern. Exit code
        // 1 means that git ignores none. A name that git quotes is not found, and counts as not ignored.
        const answer = await askGit(place, [
          ...rules,
          '-c',
          'core.quotePath=false',
          '--no-literal-pathspecs',
          'check-ignore',
          '--',
          ...inner,
        ]);
        for (const line of answer.ok ? answer.stdout.toString('utf8').split('\n') : [])
          if (line.startsWith('./')) found.add(owner.outer(line.slice('./'.length)));
      }
    }
    return found;
  }

  private async content({ path: name, resolved_path, before_sha256, after_sha256 }: StandingQuery): Promise<Found> {
    // This name may stand for bytes that are not UTF-8, or be a text that looks the same.
    if (/\\x[0-9a-f]{2}/.test(name)) return unknown;
    const { root, large_file_bytes } = this.place;
    const outside =
      resolved_path !== null && path.isAbsolute(resolved_path) && (before_sha256 ?? after_sha256) !== null;
    const file = outside ? resolved_path : path.join(root, ...name.split('/'));
    if (!outside && Object.keys(await linksOnTheWay(root, [path.posix.dirname(name)])).length > 0) return unknown;
    const entry = await readEntry(file, name, { large_file_bytes });
    if (entry === null) return isFolder(file) ? { found: 'other', ...nothing } : { found: 'absent', ...nothing };
    if (entry.problem !== undefined) return unknown;
    if (entry.type === 'symlink') return { found: 'symlink', ...nothing, says: entry.target ?? null };
    if (entry.type !== 'file') return { found: 'other', ...nothing };
    return { found: 'file', sha256: entry.sha256 ?? null, mode: modeOf(entry), says: null };
  }

  private async fact(name: string): Promise<Found> {
    const [, dotGit = ''] = /^((?:.*?\/)?\.git)(?:\/|$)/.exec(name) ?? [];
    const repository = dotGit === '' ? null : await this.repositoryOf(dotGit);
    if (repository === null) return unknown;
    if (name === '.git/index') return this.staged(repository);
    const known = this.facts.get(dotGit) ?? (await factsOfRepository(repository, dotGit));
    this.facts.set(dotGit, known);
    const fact = known.find((one) => one.path === name);
    if (fact) return { found: 'fact', sha256: fact.sha256, mode: null, says: fact.says };
    const inner = name.slice(dotGit.length + 1);
    const gone = [repository.gitDir, repository.commonDir].every((folder) => isAbsent(path.join(folder, inner)));
    return gone ? { found: 'absent', ...nothing } : unknown;
  }

  /** Says whether all staged content equals the workspace's. */
  private async staged(repository: Repository): Promise<Found> {
    const { index } = this.place;
    if (index?.ok !== true || index.unstaged !== null) return unknown;
    const { other } = await stagedSince(repository.top, new Map(), index.staged);
    return other.length === 0 ? { found: 'absent', ...nothing } : unknown;
  }

  private flag(name: string): Found {
    const { index } = this.place;
    if (index?.ok !== true || name === '.git' || name === '.git/index') return unknown;
    return { found: 'fact', ...nothing, says: index.flags.get(name) ?? null };
  }

  private async gitOf(name: string, ignored: ReadonlySet<string>): Promise<PathStanding['git']> {
    const owner = await this.ownerOf(name);
    if (!owner?.isTracked) return null;
    this.used.set(owner, this.used.get(owner) ?? (await isUsed(owner.repository)));
    if (this.used.get(owner)?.(path.join(this.place.root, ...name.split('/')))) return 'used';
    if (owner.isTracked(owner.inner(name))) return 'tracked';
    return ignored.has(name) ? 'ignored' : 'untracked';
  }

  private async repositoryOf(dotGit: string): Promise<Repository | null> {
    if (dotGit === '.git') return this.place.repository;
    return repositoryAt(path.join(this.place.root, path.posix.dirname(dotGit)));
  }

  /** The innermost repository that holds a path, because a nested one or a submodule has its own index. */
  private async ownerOf(name: string): Promise<Owner | null> {
    for (let folder = path.posix.dirname(name); folder !== '.'; folder = path.posix.dirname(folder)) {
      const inner = await this.nestedAt(folder);
      if (inner) return inner;
    }
    const known = this.owners.get('.');
    if (known !== undefined) return known;
    const { root, repository, index } = this.place;
    const owner = repository && new Owner(repository, root, '', index);
    this.owners.set('.', owner);
    return owner;
  }

  private async nestedAt(folder: string): Promise<Owner | null> {
    const known = this.owners.get(folder);
    if (known !== undefined) return known;
    const top = path.join(this.place.root, folder);
    const repository = await repositoryAt(top);
    const owner =
      repository &&
      new Owner(repository, top, `${folder}/`, await readIndex(repository, top, await headCommit(repository)));
    this.owners.set(folder, owner);
    return owner;
  }
}

class Owner {
  /** Null: git could not read its index. */
  readonly isTracked: ((inner: string) => boolean) | null;

  constructor(
    readonly repository: Repository,
    readonly folder: string,
    private readonly prefix: string,
    index: IndexFacts | null,
  ) {
    this.isTracked = index?.ok === true ? index.isTracked : null;
  }

  inner(name: string): string {
    return name.slice(this.prefix.length);
  }
  outer(name: string): string {
    return this.prefix + name;
  }
}

/** Finds hooks and configuration in the workspace to which the repository's configuration leads git. */
async function isUsed(repository: Repository): Promise<(absolute: string) => boolean> {
  const { includes, hooks } = await configuredPlaces(repository);
  // Counts the folder above too, because Husky leads git to `_`, whose hooks run those above.
  const folders = hooks === null ? [] : path.basename(hooks) === '_' ? [hooks, path.dirname(hooks)] : [hooks];
  const files = new Set(await Promise.all(includes.map(realOf)));
  const real = new Set(await Promise.all(folders.map(realOf)));
  return (absolute) => files.has(absolute) || (real.has(path.dirname(absolute)) && isHookName(path.basename(absolute)));
}

async function realOf(place: string): Promise<string> {
  return realpath(place).catch(() => place);
}

async function factsOfRepository(repository: Repository, prefix: string): Promise<readonly GitFact[]> {
  const found = await gitFacts({ repository, prefix }, () => false);
  return found.flatMap(({ facts }) => facts);
}

function isFolder(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** False for a folder that cannot be entered, because the answer is unknown. */
function isAbsent(file: string): boolean {
  try {
    lstatSync(file);
    return false;
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(errorCode(error));
  }
}

/** Splits names so that each part fits on every platform's command line. */
function inLines(names: readonly string[]): readonly (readonly string[])[] {
  const lines: string[][] = [];
  let room = 0;
  for (const name of names) {
    if (room < name.length) {
      lines.push([]);
      room = lineLength;
    }
    lines.at(-1)?.push(name);
    room -= name.length + 1;
  }
  return lines;
}

const lineLength = 16_000;
