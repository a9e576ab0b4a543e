import path from 'node:path';
import { askGit } from './command';
import { changeTime, filesBelow, isThere, type GitFact } from './files';
import { statsOf } from '../files/regular';
import { sha256Of } from '../files/bytes/sha256';
import { readShort, type Repository } from './locate';
import { textLines } from '../files/bytes/lines';

export interface RefFacts {
  /** Branches, tags, notes, the stash and replaced objects (`refs/replace`), each with the path of a loose ref. */
  readonly facts: readonly GitFact[];
  /** `refs/remotes/...` to the commit. A fetch changes them, so they are no facts. */
  readonly remotes: ReadonlyMap<string, string>;
}

/** The refs of a repository. `prefix` is `.git`, or `sub/.git`. */
export async function refFacts(repository: Repository, prefix: string): Promise<RefFacts> {
  const { commonDir } = repository;
  const facts = new Map<string, GitFact>();
  const remotes = new Map<string, string>();
  const add = (name: string, says: string, changed_at: string): void => {
    if (name.startsWith('refs/remotes/')) remotes.set(name, says);
    else if (/^refs\/(?:(?:heads|tags|replace|notes)\/|stash$)/.test(name))
      facts.set(name, { path: `${prefix}/${name}`, sha256: sha256Of(says), says: says.slice(0, 200), changed_at });
  };
  if (hasReftable(repository)) await addReftable(repository, add);
  else await addFiles(commonDir, add);
  return { facts: [...facts.values()], remotes };
}

/** The commit of HEAD; null before the first commit. */
export async function headCommit(repository: Repository): Promise<string | null> {
  if (hasReftable(repository)) {
    const answer = await askGit(repository, ['rev-parse', '--verify', '--quiet', 'HEAD']);
    return answer.ok ? answer.stdout.toString('utf8').trim() : null;
  }
  const head = readShort(path.join(repository.gitDir, 'HEAD'))?.trim() ?? '';
  const branch = /^ref: (refs\/.+)$/.exec(head)?.[1];
  if (branch === undefined) return isCommit(head) ? head : null;
  if (branch.split('/').includes('..')) return null;
  const loose = readShort(path.join(repository.commonDir, branch))?.trim() ?? '';
  if (isCommit(loose)) return loose;
  for await (const [name, commit] of packedRefs(repository.commonDir)) if (name === branch) return commit;
  return null;
}

/** Says whether refs lie in tables, which only git can read. */
export function hasReftable({ commonDir }: Repository): boolean {
  return isThere(path.join(commonDir, 'reftable'));
}

/** The file that git rewrites when it changes this ref of a reftable. A worktree has its own for HEAD. */
export function tablesOf({ gitDir, commonDir }: Repository, ref: string): string {
  return path.join(ref === 'HEAD' ? gitDir : commonDir, 'reftable', 'tables.list');
}

/** HEAD of a reftable in the form of its file: `ref: ` and the branch, or a commit. */
export async function headText(repository: Repository): Promise<string> {
  // Exit code 1 means that HEAD is detached.
  const answer = await askGit(repository, ['symbolic-ref', '--quiet', 'HEAD'], { status: [0, 1] });
  if (!answer.ok) return `(unreadable: ${answer.reason})`;
  const branch = answer.stdout.toString('utf8').trim();
  return branch === '' ? ((await headCommit(repository)) ?? '(unreadable)') : `ref: ${branch}`;
}

type Add = (name: string, says: string, changed_at: string) => void;

async function addFiles(commonDir: string, add: Add): Promise<void> {
  const packedAt = changeTime(path.join(commonDir, 'packed-refs'));
  for await (const [name, commit] of packedRefs(commonDir)) add(name, commit, packedAt);
  const stash = path.join(commonDir, 'refs', 'stash');
  if (isThere(stash)) add('refs/stash', (readShort(stash) ?? '(unreadable)').trim(), changeTime(stash));
  for (const kind of ['heads', 'tags', 'replace', 'notes', 'remotes']) {
    for (const file of filesBelow(path.join(commonDir, 'refs', kind))) {
      if (file.endsWith('.lock')) continue;
      const loose = path.join(commonDir, 'refs', kind, file);
      const says = (readShort(loose) ?? '(unreadable)').trim();
      add(`refs/${kind}/${file.split(path.sep).join('/')}`, says, changeTime(loose));
    }
  }
}

async function addReftable(repository: Repository, add: Add): Promise<void> {
  // Lists a symbolic ref by the name of its target, so a new commit there does not change it.
  const format = '--format=%(refname) %(if)%(symref)%(then)ref: %(symref)%(else)%(objectname)%(end)';
  const answer = await askGit(repository, ['for-each-ref', format]);
  const changed_at = changeTime(tablesOf(repository, 'refs/'));
  const lines = answer.ok ? answer.stdout.toString('utf8').split('\n').filter(Boolean) : [];
  if (!answer.ok) add('refs/heads/', `(unreadable: ${answer.reason})`, changed_at);
  for (const line of lines) {
    const [name = '', says = ''] = line.split(/ (.*)/s);
    add(name, says, changed_at);
  }
}

async function* packedRefs(commonDir: string): AsyncGenerator<readonly [name: string, commit: string]> {
  const file = path.join(commonDir, 'packed-refs');
  if (statsOf(file)?.isFile() !== true) return;
  for await (const line of textLines(file)) {
    const [, commit, name] = /^([0-9a-f]{40,64}) (refs\/.+)$/.exec(line) ?? [];
    if (commit !== undefined && name !== undefined) yield [name, commit];
  }
}

export function isCommit(text: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(text);
}

/**
 * Finds tags added since a baseline that a fetch may have brought. `known`: a remote branch had the commit before.
 * `maybe`: FETCH_HEAD or a remote branch suggests a fetch, but any process can write those.
 */
export async function fetchedTags(
  repository: Repository,
  added: readonly GitFact[],
  remotes: Iterable<string>,
  since: string,
): Promise<{ readonly known: ReadonlySet<string>; readonly maybe: ReadonlySet<string> }> {
  const [known, maybe] = [new Set<string>(), new Set<string>()];
  const before = [...new Set(remotes)].filter(isCommit);
  const fetchHead = path.join(repository.gitDir, 'FETCH_HEAD');
  const text = changeTime(fetchHead) < since ? '' : (readShort(fetchHead) ?? '');
  for (const tag of added) {
    const name = /\/refs\/tags\/(.+)$/.exec(tag.path)?.[1];
    if (name === undefined || !isCommit(tag.says)) continue;
    if (await wasReachable(repository, tag.says, before)) known.add(tag.path);
    else if (text !== '' && (isNamed(text, name, tag.says) || (await isPublished(repository, tag.says))))
      maybe.add(tag.path);
  }
  return { known, maybe };
}

async function wasReachable(repository: Repository, object: string, before: readonly string[]): Promise<boolean> {
  // Asks one by one, because a remote branch may have been force-pushed and its old commit cleaned up.
  const [commit, ...commits] = await commitsOf(repository, [object, ...before]);
  if (commit === undefined || commit === null) return false;
  const input = [commit, ...commits.flatMap((one) => (one === null ? [] : [`^${one}`])), ''].join('\n');
  const answer = await askGit(repository, ['rev-list', '--max-count=1', '--stdin'], { input });
  return answer.ok && answer.stdout.length === 0;
}

/** The commit of each object, of a tag the commit behind it; null: another kind of object. */
async function commitsOf(repository: Repository, objects: readonly string[]): Promise<readonly (string | null)[]> {
  const input = objects.map((object) => `${object}^{commit}\n`).join('');
  const answer = await askGit(repository, ['cat-file', '--batch-check=%(objectname)'], { input });
  if (!answer.ok) return [];
  const lines = answer.stdout.toString('latin1').split('\n').slice(0, -1);
  return lines.map((line) => (isCommit(line) ? line : null));
}

function isNamed(fetchHead: string, name: string, object: string): boolean {
  const lines = fetchHead.split('\n');
  return lines.some((line) => line.startsWith(`${object}\t`) && line.includes(`\ttag '${name}' of `));
}

async function isPublished(repository: Repository, object: string): Promise<boolean> {
  const question = ['for-each-ref', '--count=1', '--format=x', `--contains=${object}`, 'refs/remotes'];
  const answer = await askGit(repository, question);
  return answer.ok && answer.stdout.length > 0;
}
