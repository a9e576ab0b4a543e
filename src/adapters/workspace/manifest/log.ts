import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readdir, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { linesBetween, ManifestReading, type Manifest, type ManifestHeader, type ManifestLine } from './manifest';
import type { ManifestNews } from './manifest';
import { openFile } from '../../files/opened';
import { errorCode } from '../../../base/outcome';
import { textLines } from '../../files/lines';

/**
 * The baselines of one mission, as one owner took them: JSON lines, the first baseline whole, each further one as what
 * is different from the one before. The digest of a baseline is that of the file up to its end, so it vouches for all
 * that it rests on. A file is appended to by the owner that began it alone; the next one begins another.
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

  /** The baseline that the next one is told beside; null before the first. */
  get latest(): Manifest | null {
    return this.last;
  }

  /**
   * Upper-case SHA-256 of the file up to the end of this baseline, which is on disk then. Null, and nothing written,
   * when the file is not as this owner left it. @throws the file system's error: then this log is of no more use.
   */
  async append(after: Manifest, news: ManifestNews): Promise<string | null> {
    const handle = await open(this.file, appending).catch(nothingThere);
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

/** The baseline of this digest, wherever in the folder's files it is. @throws what is wrong: none there, or not as it was. */
export async function readManifest(folder: string, sha256: string): Promise<Manifest> {
  // A baseline that is asked for from a file is mostly one of the owner before this one.
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
  // Whoever destroys a baseline may leave a pipe in its place, for which the next owner would wait.
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
    // Damaged, or torn where an owner died: what comes after that is no baseline any more.
  } finally {
    await opened.handle.close();
  }
  return null;
}

const endLine = '{"end":true}';
/** A text much longer than these is garbage that stays until the whole memory is gone through. */
const linesPerWrite = 200;

function digestNow(hash: Hash): string {
  return hash.copy().digest('hex').toUpperCase();
}

/** Only what is there, no link, and no pipe that waits for a reader; Windows knows neither of the last two. */
const posix = constants as { readonly O_NOFOLLOW?: number; readonly O_NONBLOCK?: number };
const appending = constants.O_WRONLY | constants.O_APPEND | (posix.O_NOFOLLOW ?? 0) | (posix.O_NONBLOCK ?? 0);

function nothingThere(error: unknown): null {
  if (['ENOENT', 'ELOOP', 'ENXIO', 'EISDIR'].includes(errorCode(error) ?? '')) return null;
  throw error;
}
