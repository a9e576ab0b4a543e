import { fstatSync, lstatSync, type BigIntStats } from 'node:fs';
import type { RawChange } from '../../core/observation/change';
import type { ManifestEntry } from '../files/entry';
import type { Manifest } from './manifest/manifest';

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
