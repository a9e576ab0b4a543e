import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { PathStanding, StandingQuery } from '../../core/observation/pathState';
import { configuredPlaces } from '../git/configPlaces';
import { gitFacts, isHookName } from '../git/facts';
import type { GitFact } from '../git/files';
import { gitStandings, type GitStanding } from '../git/ignored';
import type { IndexFacts } from '../git/index';
import { InnerRepositories, repositoryAt, type Repository } from '../git/locate';
import { stagedSince } from '../git/staged';
import { errorCode, modeOf, readEntry, entryShownAs, lookAt } from '../files/entry';
import { realOf } from '../files/inside';
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
  const files = queries.filter(({ kind }) => kind !== 'git' && kind !== 'index_flag').map(({ path: name }) => name);
  const standings = await gitStandings(place.root, files);
  const known = new Map(files.map((name, index) => [name, standings[index] ?? null]));
  const answers: PathStanding[] = [];
  for (const query of queries) answers.push(await reader.read(query, known.get(query.path) ?? null));
  return answers;
}

type Found = Pick<PathStanding, 'found' | 'sha256' | 'mode' | 'says'>;
const nothing = { sha256: null, mode: null, says: null } as const;
const unknown: Found = { found: 'unknown', ...nothing };

class StandingReader {
  private readonly facts = new Map<string, readonly GitFact[]>();
  private readonly inner: InnerRepositories;
  private readonly used = new Map<Repository, (absolute: string) => boolean>();

  constructor(private readonly place: StandingPlace) {
    this.inner = new InnerRepositories(place.root);
  }

  async read(query: StandingQuery, standing: GitStanding | null): Promise<PathStanding> {
    const { path: name, kind } = query;
    if (kind === 'git') return { path: name, kind, ...(await this.fact(name)), git: null };
    if (kind === 'index_flag') return { path: name, kind, ...this.flag(name), git: null };
    return { path: name, kind, ...(await this.content(query)), git: await this.gitOf(query, standing) };
  }

  private async content({ path: name, resolved_path, before_sha256, after_sha256 }: StandingQuery): Promise<Found> {
    const { root, large_file_bytes } = this.place;
    const outside =
      resolved_path !== null && path.isAbsolute(resolved_path) && (before_sha256 ?? after_sha256) !== null;
    const file = outside ? resolved_path : entryShownAs(root, name);
    if (file === null) return unknown;
    if (!outside && Object.keys(await linksOnTheWay(root, [path.posix.dirname(name)])).length > 0) return unknown;
    const entry = await readEntry(file, name, { large_file_bytes });
    if (entry === null) return lookAt(file) ? { found: 'other', ...nothing } : { found: 'absent', ...nothing };
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
    const read = async () =>
      (await gitFacts({ repository, prefix: dotGit }, () => false)).flatMap(({ facts }) => facts);
    const known = this.facts.get(dotGit) ?? (await read());
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

  private async gitOf({ path: name, kind }: StandingQuery, standing: GitStanding | null): Promise<PathStanding['git']> {
    const repository = (await this.inner.around(name))?.repository ?? this.place.repository;
    if (repository === null || standing === null) return null;
    this.used.set(repository, this.used.get(repository) ?? (await isUsed(repository)));
    if (this.used.get(repository)?.(path.join(this.place.root, ...name.split('/')))) return 'used';
    if (standing === 'ignored') return kind === 'added' ? 'untracked' : 'ignored';
    return standing === 'new' ? 'untracked' : standing;
  }

  private async repositoryOf(dotGit: string): Promise<Repository | null> {
    if (dotGit === '.git') return this.place.repository;
    return repositoryAt(path.join(this.place.root, path.posix.dirname(dotGit)));
  }
}

/** Finds hooks and configuration in the workspace to which the repository's configuration leads git. */
async function isUsed(repository: Repository): Promise<(absolute: string) => boolean> {
  const { includes, hooks } = await configuredPlaces(repository);
  // Counts the folder above too, because Husky leads git to `_`, whose hooks run those above.
  const folders = hooks === null ? [] : path.basename(hooks) === '_' ? [hooks, path.dirname(hooks)] : [hooks];
  const files = new Set(includes.map(realOf));
  const real = new Set(folders.map(realOf));
  return (absolute) => files.has(absolute) || (real.has(path.dirname(absolute)) && isHookName(path.basename(absolute)));
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
