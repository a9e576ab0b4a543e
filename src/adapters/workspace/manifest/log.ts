import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readdir, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import {
  linesBetween,
  ManifestReading,
  type Manifest,
  type ManifestHeader,
  type ManifestLine,
  type ManifestNews,
} from './manifest';
import { openFile } from '../../files/opened';
import { errorCode, valueOn } from '../../../base/outcome';
import { textLines } from '../../files/bytes/lines';

/**
 * The baselines of one mission that one owner took, as JSON lines: the first one whole, each
 * further one as the difference from its predecessor. The digest of a baseline is that of the file
 * up to the baseline's end. So it covers everything that the baseline builds on. Only the owner
 * that began a file appends to it; the next owner begins another.
 */
export class ManifestLog {
  private readonly hash: Hash = createHash('sha256');
  private bytes = 0;
  private last: Manifest | null = null;

  private constructor(
    private readonly file: string,
    private readonly inode: number,
  ) {}

  /** @throws the file system's error. */
  static async create(folder: string): Promise<ManifestLog> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (let number = (await readdir(folder)).length + 1; ; number += 1) {
      const file = path.join(folder, `${String(number).padStart(6, '0')}.jsonl`);
      try {
        const handle = await open(file, 'wx', 0o600);
        const { ino } = await handle.stat();
        await handle.close();
        return new ManifestLog(file, ino);
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
      }
    }
  }

  /** The last baseline, from which the next difference is written; null: before the first. */
  get latest(): Manifest | null {
    return this.last;
  }

  /**
   * Appends and syncs a baseline. Returns the upper-case SHA-256 of the file up to its end. Null, without a write: the
   * file is not as this owner left it.
   *
   * @throws the file system's error; then the caller must stop using this log.
   */
  async append(after: Manifest, news: ManifestNews): Promise<string | null> {
    const handle = await open(this.file, appending).catch(valueOn(null, 'ENOENT', 'ELOOP', 'ENXIO', 'EISDIR'));
    if (handle === null) return null;
    try {
      const { size, ino } = await handle.stat();
      if (size !== this.bytes || ino !== this.inode) return null;
      await this.write(handle, [JSON.stringify({ baseline: after.header })]);
      let waiting: string[] = [];
      for (const line of linesBetween(this.last, after, news)) {
        waiting.push(line);
        if (waiting.length < linesPerWrite) continue;
        await this.write(handle, waiting);
        waiting = [];
      }
      await this.write(handle, [...waiting, endLine]);
      await handle.sync();
    } finally {
      await handle.close();
    }
    this.last = after;
    return digestNow(this.hash);
  }

  private async write(handle: FileHandle, lines: readonly string[]): Promise<void> {
    const text = Buffer.from(`${lines.join('\n')}\n`);
    this.hash.update(text);
    await handle.appendFile(text);
    this.bytes += text.length;
  }
}

/** Finds the baseline of this digest in the folder's files. @throws an error if it is missing or was changed. */
export async function readManifest(folder: string, sha256: string): Promise<Manifest> {
  // Looks in the newest file first, because a wanted baseline is mostly one of the previous owner.
  for (const name of (await readdir(folder)).sort().reverse()) {
    const found = await readFrom(path.join(folder, name), sha256.toUpperCase());
    if (found !== null) return found;
  }
  throw new Error('no baseline that is kept has the recorded digest');
}

async function readFrom(file: string, sha256: string): Promise<Manifest | null> {
  const hash = createHash('sha256');
  const reading = new ManifestReading();
  let header: ManifestHeader | null = null;
  // Opens without waiting, because a worker could replace a baseline by a pipe.
  const opened = await openFile(file).catch(() => null);
  if (opened?.kind !== 'opened') return null;
  try {
    for await (const line of textLines(opened.handle)) {
      hash.update(line).update('\n');
      if (line === endLine) {
        if (header !== null && digestNow(hash) === sha256)
          return { header, entries: reading.entries, facts: reading.facts };
        continue;
      }
      const value = JSON.parse(line) as ManifestLine | { readonly baseline: ManifestHeader };
      if ('baseline' in value) header = value.baseline;
      else reading.take(value);
    }
  } catch {
    // Damaged, or torn when an owner died; no baseline follows.
  } finally {
    await opened.handle.close();
  }
  return null;
}

const endLine = '{"end":true}';
/** Lines of one write; a longer text would stay in memory as garbage until the next full collection. */
const linesPerWrite = 200;

function digestNow(hash: Hash): string {
  return hash.copy().digest('hex').toUpperCase();
}

/** Follows no link and waits for no reader of a pipe; on Windows both flags are undefined. */
const appending = constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;
