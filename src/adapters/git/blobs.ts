import { createHash } from 'node:crypto';
import path from 'node:path';
import { askGit, splitNul } from './command';
import { statsOf } from '../files/regular';
import { placeIn } from './index';
import type { ManifestEntry } from '../files/entry';
import type { Repository } from './locate';

/** The blob of HEAD at a path, and the stat of the file that git knows to be the same; null: git knows none. */
export interface HeadFile {
  readonly oid: string;
  /** Bytes of the blob; the file has others if line ends or a filter change it. */
  readonly size: number;
  readonly same: FileStat | null;
}

/** A file on disk as the index remembers it: of `inode` the lower 32 bits; 0: not recorded. */
export type FileStat = Pick<ManifestEntry, 'ctime_ms' | 'mtime_ms' | 'inode' | 'size'>;

/**
 * The files of HEAD by path below a folder. Reads no file of the work tree and starts no filter, because git only
 * reports what its index remembers. Null: git cannot.
 *
 * @param paths relative to the folder, POSIX; empty: all
 */
export async function headFiles(
  repository: Repository,
  folder: string,
  head: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, HeadFile> | null> {
  const place = placeIn(repository, folder);
  const named = paths.length === 0 ? [] : ['--', ...paths];
  const [tree, index] = await Promise.all([
    askGit(place, ['ls-tree', '-r', '-l', '-z', head, ...named]),
    askGit(place, ['ls-files', '-s', '--debug', '-z', ...named]),
  ]);
  if (!tree.ok) return null;
  const remembered = index.ok
    ? indexStats(index.stdout, statsOf(path.join(repository.gitDir, 'index'))?.mtimeMs ?? 0)
    : new Map<string, Remembered>();
  const files = new Map<string, HeadFile>();
  for (const part of splitNul(tree.stdout)) {
    const [, oid = '', size = '', name = ''] = treeLine.exec(part.toString('utf8')) ?? [];
    if (oid === '') continue;
    const known = remembered.get(name);
    files.set(name, { oid, size: Number(size), same: known?.oid === oid ? known.stat : null });
  }
  return files;
}

/** The object id that git gives these bytes. `like`: an id of the repository, which shows the hash that it uses. */
export function blobId(bytes: Uint8Array, like: string): string {
  return createHash(like.length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');
}

export interface FoundBlob {
  readonly oid: string;
  readonly size: number;
}

/** Returns whether git can be asked about a name: the question is a line, which cannot hold a line break. */
export function canBeAsked(name: string): boolean {
  return !/[\n\r\0]/.test(name);
}

/** The blobs of these names (`<commit>:<path>`, `:<path>`), in their order; null: the name has no blob. */
export async function findBlobs(
  repository: Repository,
  names: readonly string[],
): Promise<readonly (FoundBlob | null)[]> {
  const asked = names.map((name) => (canBeAsked(name) ? name : '0'.repeat(40)));
  const answer = await askGit(repository, ['cat-file', '--batch-check'], { input: lines(asked) });
  if (!answer.ok) return names.map(() => null);
  const headers = answer.stdout.toString('utf8').split('\n');
  return names.map((_, index) => {
    const [, oid, size] = /^([0-9a-f]{40,64}) blob (\d+)$/.exec(headers[index] ?? '') ?? [];
    return oid === undefined ? null : { oid, size: Number(size) };
  });
}

/** The bytes of these blobs by object id, without those that git does not give. */
export async function readBlobs(repository: Repository, oids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>();
  if (oids.length === 0) return found;
  const answer = await askGit(repository, ['cat-file', '--batch'], { input: lines(oids) });
  if (!answer.ok) return found;
  for (let at = 0; at < answer.stdout.length;) {
    const end = answer.stdout.indexOf(0x0a, at);
    if (end === -1) break;
    const [, oid, size] = /^([0-9a-f]{40,64}) blob (\d+)$/.exec(answer.stdout.toString('latin1', at, end)) ?? [];
    at = end + 1;
    if (oid === undefined) continue;
    found.set(oid, answer.stdout.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return found;
}

const treeLine = /^100(?:644|755) blob ([0-9a-f]{40,64}) +(\d+)\t(.+)$/s;

interface Remembered {
  readonly oid: string;
  readonly stat: FileStat | null;
}

/** A part of the answer with `-z`: it ends each path, and the facts of the path follow. */
const indexPart =
  /^(?: {2}ctime: (\d+):(\d+)\n {2}mtime: (\d+):(\d+)\n {2}dev: \d+\tino: (\d+)\n {2}uid: \d+\tgid: \d+\n {2}size: (\d+)\tflags: [0-9a-f]+\n)?(?:\d{6} ([0-9a-f]{40,64}) (\d)\t(.+))?$/s;

/** @param written milliseconds; a file that changed since may have changed again within one tick of the clock */
function indexStats(answer: Buffer, written: number): ReadonlyMap<string, Remembered> {
  const found = new Map<string, Remembered>();
  let last: { readonly name: string; readonly oid: string } | null = null;
  const parts = answer.toString('utf8').split('\0');
  for (const part of parts) {
    const [all, cs, cn, ms, mn, inode, size, oid, stage, name] = indexPart.exec(part) ?? [];
    if (all === undefined) return new Map();
    if (last && cs !== undefined) {
      const stat = { ctime_ms: time(cs, cn), mtime_ms: time(ms, mn), inode: Number(inode), size: Number(size) };
      found.set(last.name, { oid: last.oid, stat: stat.mtime_ms < written ? stat : null });
    }
    last = name !== undefined && oid !== undefined && stage === '0' ? { name, oid } : null;
  }
  return found;
}

function time(seconds: string | undefined, nanoseconds: string | undefined): number {
  return Number(seconds) * 1000 + Number(nanoseconds) / 1e6;
}

function lines(of: readonly string[]): string {
  return of.map((one) => `${one}\n`).join('');
}
