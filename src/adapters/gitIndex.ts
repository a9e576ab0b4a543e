import path from 'node:path';
import { askGit, splitNul, type GitPlace } from './gitCommand';
import { placeOf } from './gitFacts';
import type { Repository } from './gitLocate';
import { nameOf } from './manifestNames';

/** A path as git lists it, relative to the asked folder. */
export interface ListedPath {
  readonly path: string;
  readonly raw: string | undefined;
}

export type IndexFacts =
  | {
      readonly ok: true;
      readonly tracked: readonly ListedPath[];
      /** Path to what hides it: `assume-unchanged`, `skip-worktree`, or both. */
      readonly flags: ReadonlyMap<string, string>;
    }
  | { readonly ok: false; readonly reason: string };

/** Tracked files of a folder and the index flags that hide changes from git. Reads the index, never writes it. */
export async function readIndex(repository: Repository, folder: string): Promise<IndexFacts> {
  const answer = await askGit(placeIn(repository, folder), ['ls-files', '-z', '-v', '--cached']);
  if (!answer.ok) return answer;
  const tracked: ListedPath[] = [];
  const flags = new Map<string, string>();
  for (const part of splitNul(answer.stdout)) {
    const tag = String.fromCharCode(part[0] ?? 0);
    const listed = listedPath(part.subarray(2));
    tracked.push(listed);
    const flag = flagOf(tag);
    if (flag !== null) flags.set(listed.path, flag);
  }
  return { ok: true, tracked, flags };
}

/** Untracked files that git would add. */
export async function readUntracked(
  repository: Repository,
  folder: string,
): Promise<
  { readonly ok: true; readonly paths: readonly ListedPath[] } | { readonly ok: false; readonly reason: string }
> {
  const answer = await askGit(placeIn(repository, folder), ['ls-files', '-z', '--others', '--exclude-standard']);
  if (!answer.ok) return answer;
  const paths = splitNul(answer.stdout).map(listedPath);
  return { ok: true, paths: paths.filter((listed) => !listed.path.endsWith('/')) };
}

function flagOf(tag: string): string | null {
  const assumed = tag !== tag.toUpperCase();
  const skipped = tag.toUpperCase() === 'S';
  if (assumed && skipped) return 'assume-unchanged and skip-worktree';
  return assumed ? 'assume-unchanged' : skipped ? 'skip-worktree' : null;
}

function placeIn(repository: Repository, folder: string): GitPlace {
  return { ...placeOf(repository), folder: path.resolve(folder) };
}

function listedPath(bytes: Buffer): ListedPath {
  const text = bytes.toString('utf8');
  if (Buffer.from(text).equals(bytes)) return { path: text, raw: undefined };
  const segments: string[] = [];
  for (let start = 0; start <= bytes.length;) {
    const slash = bytes.indexOf(0x2f, start);
    const end = slash === -1 ? bytes.length : slash;
    segments.push(nameOf(bytes.subarray(start, end)).name);
    start = end + 1;
  }
  return { path: segments.join('/'), raw: bytes.toString('hex') };
}
