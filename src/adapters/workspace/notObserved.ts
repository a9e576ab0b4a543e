import type { IndexFacts } from '../git/index';
import { isJjFolder } from './manifest/jj';
import type { LookReport } from './manifest/scanWorkspace';
import { fstatSync, lstatSync, type BigIntStats } from 'node:fs';
import type { RawChange } from '../../core/observation/change';
import type { ManifestEntry } from '../files/entry';
import type { Manifest } from './manifest/manifest';

/** Sentences for the evidence about what was not compared, because an observation must state its own limits. */
export function notObserved(facts: {
  readonly report: LookReport;
  readonly fetched: readonly string[];
  readonly staged: readonly string[];
  readonly index: IndexFacts | null;
  /** Files in the workspace into which this process prints. */
  readonly printed: readonly string[];
  readonly large_file_bytes: number;
}): readonly string[] {
  const { report, fetched, staged, index, printed } = facts;
  const followed = [...report.followed].map(([path, target]) => `${path} to ${target}`);
  const jj = [...report.skipped].filter(isJjFolder);
  const skipped = [...report.skipped].filter((path) => !isJjFolder(path));
  const nested = report.repositories.filter((path) => path !== '.git');
  const unreadable = report.unreadable.map(({ path, code }) => `${path === '' ? '.' : path} (${code})`);
  const notFollowed = report.notFollowed.map(({ path, target }) => `${path} to ${target}`);
  const megabytes = Math.round(facts.large_file_bytes / (1024 * 1024));
  return [
    followed.length === 0
      ? 'Nothing outside the workspace was observed.'
      : `Nothing outside the workspace was observed, except what these links lead to: ${some(followed)}.`,
    'The folder .mission-control was not compared: the runner writes there itself.',
    'Empty folders, and the permissions of folders, were not compared.',
    ...about(printed, 'Not compared, because the runner prints into it'),
    ...(index === null && report.repositories.length === 0
      ? []
      : [
          'Of .git only HEAD, branches, tags, notes, the stash, replaced objects, config, what it includes and its attributes, hooks, info, alternates, interrupted merges and rebases and where it leads were compared, not other refs, reflogs, .git/shallow and programs that aliases name; editors keep bookkeeping of their own in branch sections of config, which is left out.',
        ]),
    ...(index?.ok === false
      ? [`The flags assume-unchanged and skip-worktree could not be read: ${index.reason}.`]
      : []),
    ...(index?.ok === true && index.unstaged !== null ? [`What is staged could not be read: ${index.unstaged}.`] : []),
    ...(report.unlisted === null ? [] : [`New files in build folders could not be listed: ${report.unlisted}.`]),
    ...about(nested, 'The index of repositories inside the workspace was not compared'),
    ...about(jj, 'Of jj’s own folder only its settings and where it leads were compared'),
    ...about(
      skipped,
      'Ignored files in dependency and build folders that were there at the baseline were not compared',
    ),
    ...about(unreadable, 'Could not be read'),
    ...about(report.large, `Larger than ${megabytes} MB and compared by size, times and inode instead of content`),
    ...about(notFollowed, 'Links whose targets outside the workspace were not compared'),
    ...about(
      fetched.map((path) => path.replace(/^\.git\/refs\/tags\//, '')),
      'New tags for what was on a remote branch before are not counted as changes',
    ),
    ...about(staged, 'Staged as it is in the workspace, or no longer staged, which is not counted as a change'),
  ];
}

function about(items: readonly string[], sentence: string): readonly string[] {
  return items.length === 0 ? [] : [`${sentence}: ${some(items)}.`];
}

const shown = 20;

function some(items: readonly string[]): string {
  const rest = items.length - shown;
  return rest > 0 ? `${items.slice(0, shown).join(', ')} and ${rest} more` : items.join(', ');
}

/**
 * The files in the workspace into which this process prints, as with `mission run PLAN > run.log`. That output is no
 * change of a worker. Each file counts only at its first path, because a worker can move or link it.
 */
export class OwnOutput {
  readonly #files = printed();
  /** Path by inode, as first seen. */
  readonly #paths = new Map<number, string>();
  #noted = false;

  /**
   * Remembers their places before a worker of this process starts. A file outside the workspace never counts later,
   * because a worker can move it in.
   */
  note(entries: Iterable<ManifestEntry>): void {
    if (this.#noted) return;
    this.#noted = true;
    for (const { path, type, inode, outside } of entries)
      if (type === 'file' && outside === undefined && this.#files.some(({ ino }) => Number(ino) === inode))
        this.#paths.set(inode, this.#paths.get(inode) ?? path);
  }

  /** The places of those that were noted; stored, because a later owner prints elsewhere. */
  paths(): readonly string[] {
    return [...this.#paths.values()];
  }

  /** Returns whether this process's output made the change. `native`: absolute path. */
  made({ kind, path }: Pick<RawChange, 'kind' | 'path'>, native: string): boolean {
    return (kind === 'added' || kind === 'modified') && this.lies(path, native);
  }

  /** Returns whether one of the files lies at a path, with no other name. */
  lies(path: string, native: string): boolean {
    if (this.#files.length === 0) return false;
    const found = lstatSync(native, { bigint: true, throwIfNoEntry: false });
    if (!found?.isFile() || found.nlink !== 1n) return false;
    if (!this.#files.some(({ dev, ino }) => dev === found.dev && ino === found.ino)) return false;
    const inode = Number(found.ino);
    // Notes it now, because the worker of an earlier owner may be looked at before the first note.
    if (!this.#noted && !this.#paths.has(inode)) this.#paths.set(inode, path);
    return this.#paths.get(inode) === path;
  }
}

/**
 * Returns whether an earlier owner may have made the change: it printed into this file when it took the baseline, and
 * the file still lies there, with no other name.
 */
export function madeBefore(
  { kind, path }: Pick<RawChange, 'kind' | 'path'>,
  native: string,
  { header, entries }: Pick<Manifest, 'header' | 'entries'>,
): boolean {
  if (kind !== 'modified' || header.printed?.includes(path) !== true) return false;
  const inode = [...entries.values()].find((entry) => entry.path === path && entry.type === 'file')?.inode;
  const found = lstatSync(native, { bigint: true, throwIfNoEntry: false });
  return found?.isFile() === true && found.nlink === 1n && Number(found.ino) === inode;
}

/** Output and error output, if they are files. */
function printed(): readonly Pick<BigIntStats, 'dev' | 'ino'>[] {
  const found = [1, 2].flatMap((descriptor) => {
    try {
      const stats = fstatSync(descriptor, { bigint: true });
      return stats.isFile() ? [stats] : [];
    } catch {
      return []; // closed
    }
  });
  return found.filter(({ dev, ino }, index) => found.findIndex((one) => one.dev === dev && one.ino === ino) === index);
}
