import { lstat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { done, refused, type Outcome } from '../../base/outcome';
import { ignoresAll, openFile } from '../files/opened';
import { applicationId, tableStatements } from './schema';

/** Refuses the database of another program at the journal's place; every step leaves it alone. */
export function foreign(file: string): ReturnType<typeof refused> {
  return refused(
    'STATE_STORE_FOREIGN',
    `${file} belongs to another program: it is a database, and no journal of Mission Control.`,
    'Run the mission in another workspace folder, because Mission Control needs .mission-control for itself.',
  );
}

/**
 * Looks before anything is made in the state folder, and before SQLite opens the file. So the database of another
 * program gets no side file, and its log stays as it is.
 *
 * A folder that was ours before is not looked at: this process may have its journal open, and to close a second
 * descriptor of it drops the locks.
 */
export async function refuseForeign(file: string): Promise<Outcome<null>> {
  if (await wasOurs(path.dirname(file))) return done(null);
  const page = await firstPage(file);
  return page === null || isOurs(page) ? done(null) : foreign(file);
}

/** An empty database becomes a journal. Our tables without our mark come from a dump; SQLite then judges the rest. */
function isOurs({ mark, isEmpty, text }: FirstPage): boolean {
  return isEmpty || mark === applicationId || tableStatements.every((statement) => text.includes(statement));
}

/** We make these entries before a journal. Another program may have a `.gitignore` of its own. */
async function wasOurs(folder: string): Promise<boolean> {
  const hasLease = lstat(path.join(folder, 'lease.db')).then(() => true);
  const own = await Promise.allSettled([hasLease, ignoresAll(folder)]);
  return own.some((one) => one.status === 'fulfilled' && one.value);
}

/** The first page of a database: its header, and the list of its tables as far as it fits. */
interface FirstPage {
  /** The application id. */
  readonly mark: number;
  readonly isEmpty: boolean;
  /** Has the statements of its tables. Latin-1. */
  readonly text: string;
}

/**
 * Reads the first page as the next reader of the database finds it: where the file has no tables yet, from its log.
 * Reads bytes alone, because SQLite would make files beside a database, or move its log. Never throws. Null: it is no
 * database, or SQLite must judge it, because its header is damaged or the system cannot read it.
 */
export async function firstPage(file: string): Promise<FirstPage | null> {
  const inFile = await reading(file, async (handle) => {
    const header = await bytesAt(handle, 0, headerLength);
    if (header?.toString('latin1', 0, magic.length) !== magic) return null;
    const size = header.readUInt16BE(16);
    // 65,536 does not fit, so its header says 1.
    const pageSize = size === 1 ? 65_536 : size;
    return isPageSize(pageSize) ? ((await bytesAt(handle, 0, pageSize)) ?? header) : null;
  });
  if (inFile === null) return null;
  const found = pageOf(inFile);
  if (!found.isEmpty) return found;
  const inLog = await reading(`${file}-wal`, committedPage);
  return inLog === null ? found : pageOf(inLog);
}

// Source: https://sqlite.org/fileformat2.html
const magic = 'SQLite format 3\0';
const headerLength = 108;
const logHeaderLength = 32;
const frameHeaderLength = 24;
const logMagics: readonly number[] = [0x377f0682, 0x377f0683];
/** More frames say nothing new of the first page, and to read them takes time. */
const mostFrames = 20_000;

function pageOf(page: Buffer): FirstPage {
  const [mark, version, cells] = [page.readUInt32BE(68), page.readUInt32BE(60), page.readUInt16BE(103)];
  return { mark, isEmpty: mark === 0 && version === 0 && cells === 0, text: page.toString('latin1') };
}

function isPageSize(size: number): boolean {
  return size >= 512 && size <= 65_536 && Number.isInteger(Math.log2(size));
}

/** Finds the last version of the first page that a commit in the log holds. */
async function committedPage(log: FileHandle): Promise<Buffer | null> {
  const header = await bytesAt(log, 0, logHeaderLength);
  if (header === null || !logMagics.includes(header.readUInt32BE(0))) return null;
  const size = header.readUInt32BE(8);
  if (!isPageSize(size)) return null;
  const salts = header.subarray(16, 24);
  let last: number | null = null;
  let committed: number | null = null;
  for (let count = 0, at = logHeaderLength; count < mostFrames; count += 1, at += frameHeaderLength + size) {
    const frame = await bytesAt(log, at, frameHeaderLength);
    // Frames with other salts are left over from before.
    if (frame === null || !frame.subarray(8, 16).equals(salts)) break;
    if (frame.readUInt32BE(0) === 1) last = at + frameHeaderLength;
    if (frame.readUInt32BE(4) !== 0) committed = last;
  }
  return committed === null ? null : bytesAt(log, committed, size);
}

/** Null: the file has fewer bytes. */
async function bytesAt(handle: FileHandle, position: number, length: number): Promise<Buffer | null> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return bytesRead === length ? buffer : null;
}

/** Null: the work finds nothing, or there is no file that can be read. */
async function reading<T>(file: string, work: (handle: FileHandle) => Promise<T | null>): Promise<T | null> {
  try {
    const opened = await openFile(file);
    if (opened.kind !== 'opened') return null;
    try {
      return await work(opened.handle);
    } finally {
      await opened.handle.close();
    }
  } catch {
    return null;
  }
}
