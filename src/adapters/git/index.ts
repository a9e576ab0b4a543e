import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { askGit, partTexts, splitNul, type GitAnswer, type GitPlace } from './command';
import { askIgnored, ownRules } from './excludes';
import { readShort, type Repository } from './locate';
import { decodedName, freshMilliseconds } from '../files/entry';

/** A path as git lists it, relative to the folder of the query. */
export interface ListedPath {
  readonly path: string;
  readonly raw: string | undefined;
}

export type IndexFacts =
  | {
      readonly ok: true;
      /** Path to the flag that hides it: `assume-unchanged`, `skip-worktree`, or both. */
      readonly flags: ReadonlyMap<string, string>;
      /** Path relative to the repository's top, to mode and object of a staged change. */
      readonly staged: ReadonlyMap<string, string>;
      /** Why the staged changes could not be read. */
      readonly unstaged: string | null;
      readonly isTracked: (path: string) => boolean;
    }
  | { readonly ok: false; readonly reason: string };

/** Reads the index's facts about a folder. Never writes the index. `head`: the commit of HEAD. */
async function readIndex(repository: Repository, folder: string, head: string | null): Promise<IndexFacts> {
  const [listed, compared] = await Promise.all([
    askGit(placeIn(repository, folder), ['ls-files', '-z', '-v', '--cached']),
    askGit(repository, [...asRaw, head ?? emptyTree(repository), '--']),
  ]);
  if (!listed.ok) return listed;
  const flags = new Map<string, string>();
  for (const part of splitNul(listed.stdout)) {
    const flag = flagOf(String.fromCharCode(part[0] ?? 0));
    if (flag !== null) flags.set(listedPath(part.subarray(2)).path, flag);
  }
  const isTracked = (file: string): boolean => listed.stdout.includes(` ${file}\0`);
  const staged = compared.ok ? stagedOf(compared.stdout) : new Map<string, string>();
  return { ok: true, flags, staged, unstaged: compared.ok ? null : compared.reason, isTracked };
}

/**
 * Keeps git's facts about the index as long as the index, the repository's configuration and HEAD are the same. They
 * mostly are between two workers. Starting git takes most of the time in a small workspace. The change time proves a
 * file the same, because no program can write and keep that time. A file that changed a moment ago is not cached,
 * because it may change again within the same tick.
 */
export class CachedIndex {
  #kept: { readonly key: string; readonly facts: IndexFacts } | null = null;

  async read(repository: Repository, folder: string, head: string | null, now = Date.now()): Promise<IndexFacts> {
    const key = keyOf(repository, folder, head, BigInt(now - freshMilliseconds) * 1_000_000n);
    if (key !== null && this.#kept?.key === key) return this.#kept.facts;
    const facts = await readIndex(repository, folder, head);
    this.#kept = key !== null && facts.ok ? { key, facts } : null;
    return facts;
  }
}

/** The stats of every file that the facts depend on; null: one is too fresh, or parts of the index lie elsewhere. */
function keyOf(
  { gitDir, commonDir }: Repository,
  folder: string,
  head: string | null,
  freshSinceNs: bigint,
): string | null {
  const parts = [folder, head ?? ''];
  const files = [path.join(gitDir, 'index'), path.join(commonDir, 'config'), path.join(gitDir, 'config.worktree')];
  try {
    if (readdirSync(gitDir).some((name) => name.startsWith('sharedindex.'))) return null;
    for (const file of files) {
      const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
      if (stats !== undefined && (!stats.isFile() || stats.ctimeNs >= freshSinceNs)) return null;
      parts.push(
        stats === undefined ? '-' : [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':'),
      );
    }
  } catch {
    return null; // git says what is wrong with it
  }
  return parts.join(' ');
}

/** Files in these folders that git tracks, or would add for this user. */
export async function readKept(
  repository: Repository,
  folder: string,
  inside: readonly string[],
): Promise<{ readonly ok: true; readonly paths: readonly ListedPath[] } | Extract<GitAnswer, { ok: false }>> {
  const place = placeIn(repository, folder);
  const question = [...(await ownRules(place)), 'ls-files', '-z', '--cached', '--others', '--exclude-standard', '--'];
  const paths: ListedPath[] = [];
  for (let at = 0; at < inside.length; at += pathsAtOnce) {
    const answer = await askGit(place, [...question, ...inside.slice(at, at + pathsAtOnce)]);
    if (!answer.ok) return answer;
    for (const name of splitNul(answer.stdout)) paths.push(listedPath(name));
  }
  return { ok: true, paths: paths.filter((listed) => !listed.path.endsWith('/')) };
}

/**
 * Untracked paths that a repository ignores, whole folders with a slash at the end; empty if git cannot say. Leaves out
 * rules of this user, because a digest of the content must be the same on another machine.
 */
export async function readIgnored(repository: Repository, folder: string): Promise<readonly string[]> {
  const question = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const answer = await askGit(placeIn(repository, folder), question);
  return answer.ok ? [...splitNul(answer.stdout)].map((bytes) => listedPath(bytes).path) : [];
}

/** The folders in which git would ignore a new file; null: git failed. `rules`: also those of user and machine. */
export async function ignoredFolders(
  repository: Repository,
  folder: string,
  folders: readonly string[],
  rules: 'repository' | 'user',
): Promise<ReadonlySet<string> | null> {
  const place = placeIn(repository, folder);
  const probes = folders.map((inner) => `./${inner}/${probe}`);
  const own = rules === 'user' ? await ownRules(place) : [];
  const answer = await askIgnored(place, own, probes, '--no-index');
  if (!answer.ok) return null;
  return new Set(partTexts(answer.stdout).map((name) => name.slice('./'.length, -(probe.length + 1))));
}

/** A name that no ignore rule is written for. */
export const probe = 'mission-control-asks-whether-this-is-ignored';
/** A command line is limited. */
export const pathsAtOnce = 200;
/** Leaves out files that are only meant to be added (`git add -N`), because no commit would take them. */
const asRaw = [
  ...['diff-index', '--cached', '--ita-invisible-in-index', '--raw', '-z', '--no-renames'],
  '--ignore-submodules=none',
];

/** The id of the empty tree, which git knows without an object. */
function emptyTree({ commonDir }: Repository): string {
  return /^\s*objectformat\s*=\s*sha256\s*$/im.test(readShort(path.join(commonDir, 'config')) ?? '')
    ? '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321'
    : '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
}

/** The lines are `:<old mode> <new mode> <old object> <new object> <status>`, then the path. */
function stagedOf(answer: Buffer): ReadonlyMap<string, string> {
  const staged = new Map<string, string>();
  const parts = [...splitNul(answer)];
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [, mode = '', , object = ''] = (parts[index]?.toString('latin1') ?? '').split(' ');
    staged.set(
      listedPath(parts[index + 1] ?? Buffer.alloc(0)).path,
      /^0+$/.test(object) ? 'none' : `${mode} ${object}`,
    );
  }
  return staged;
}

function flagOf(tag: string): string | null {
  const assumed = tag !== tag.toUpperCase();
  const skipped = tag.toUpperCase() === 'S';
  if (assumed && skipped) return 'assume-unchanged and skip-worktree';
  return assumed ? 'assume-unchanged' : skipped ? 'skip-worktree' : null;
}

export function placeIn(repository: Repository, folder: string): GitPlace {
  return { ...repository, folder: path.resolve(folder) };
}

function listedPath(bytes: Buffer): ListedPath {
  const text = bytes.toString('utf8');
  if (Buffer.from(text).equals(bytes)) return { path: text, raw: undefined };
  const segments: string[] = [];
  for (let start = 0; start <= bytes.length;) {
    const slash = bytes.indexOf(0x2f, start);
    const end = slash === -1 ? bytes.length : slash;
    segments.push(decodedName(bytes.subarray(start, end)).name);
    start = end + 1;
  }
  return { path: segments.join('/'), raw: bytes.toString('hex') };
}
