import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { statsThrough } from '../files/regular';

/** The places where git keeps its data about a folder. */
export interface Repository {
  /** Real absolute folder with `.git`: the workspace or a folder above it. */
  readonly top: string;
  /** HEAD and the index: `.git`, or `.git/worktrees/<name>` of a linked worktree. */
  readonly gitDir: string;
  /** Refs, config, hooks, info: shared by all worktrees. */
  readonly commonDir: string;
}

/** Finds a folder's repository by git's own rules, without asking git; null: the folder is in no repository. */
export async function locateRepository(folder: string): Promise<Repository | null> {
  for (let top = folder; ; top = path.dirname(top)) {
    const repository = await repositoryAt(top);
    if (repository !== null) return repository;
    if (path.dirname(top) === top) return null;
  }
}

export interface InnerRepository {
  readonly repository: Repository;
  /** POSIX path of its top, relative to the folder. */
  readonly at: string;
}

/** Finds the repositories below a folder. A nested one, or a submodule, has an index and ignore rules of its own. */
export class InnerRepositories {
  readonly #known = new Map<string, Promise<InnerRepository | null>>();

  constructor(private readonly folder: string) {}

  /** The innermost one around a path, which is POSIX and relative to the folder; null: not below the folder. */
  around(file: string): Promise<InnerRepository | null> {
    const at = path.posix.dirname(file);
    if (at === '.') return Promise.resolve(null);
    const found = this.#known.get(at) ?? this.#find(at);
    this.#known.set(at, found);
    return found;
  }

  /** The paths around which each lies. */
  async groups(files: readonly string[]): Promise<ReadonlyMap<InnerRepository | null, readonly string[]>> {
    const groups = new Map<InnerRepository | null, string[]>();
    for (const file of files) {
      const around = await this.around(file);
      const group = groups.get(around);
      if (group === undefined) groups.set(around, [file]);
      else group.push(file);
    }
    return groups;
  }

  async #find(at: string): Promise<InnerRepository | null> {
    const repository = await repositoryAt(path.join(this.folder, at));
    return repository === null ? this.around(at) : { repository, at };
  }
}

/** The repository whose `.git` is in exactly this folder. */
export async function repositoryAt(top: string, dotGit = path.join(top, '.git')): Promise<Repository | null> {
  const gitDir = await gitDirOf(dotGit);
  return gitDir === null ? null : { top, gitDir, commonDir: await commonDirOf(gitDir) };
}

/** The repository that a folder is by itself, as a bare one and a submodule's are. */
export function bareRepositoryAt(top: string): Promise<Repository | null> {
  return repositoryAt(top, top);
}

/** The git folder that a `.git` folder, link or file leads to. */
export async function gitDirOf(dotGit: string): Promise<string | null> {
  const kind = statsThrough(dotGit);
  if (kind === null) return null;
  let gitDir = dotGit;
  if (kind.isFile()) {
    const text = readShort(dotGit) ?? '';
    const pointed = /^gitdir: (.+?)\r?\n?$/s.exec(text)?.[1];
    if (pointed === undefined) return null;
    gitDir = path.resolve(path.dirname(dotGit), pointed);
  }
  const real = await realpath(gitDir).catch(() => null);
  if (real === null) return null;
  const head = readShort(path.join(real, 'HEAD'));
  return head === null ? null : real;
}

/**
 * Text of a small file of git's; null: it is absent, no file, or too long. Synchronous, because that is faster for many
 * such files. Never waits on a pipe.
 */
export function readShort(file: string): string | null {
  let descriptor;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const kind = fstatSync(descriptor);
    return kind.isFile() && kind.size <= shortFileBytes ? readFileSync(descriptor, 'utf8') : null;
  } catch {
    return null; // absent or unreadable
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

const shortFileBytes = 65_536;

/** The shared part of a git folder, which `commondir` names in a linked worktree. */
export async function commonDirOf(gitDir: string): Promise<string> {
  const text = readShort(path.join(gitDir, 'commondir'));
  if (text === null) return gitDir;
  return (await realpath(path.resolve(gitDir, text.trim())).catch(() => null)) ?? gitDir;
}
