import { lstat, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { done, refused, type Outcome } from '../../base/outcome';
import { applicationId } from './schema';

/** Refuses the database of another program at the journal's place; every step leaves it alone. */
export function foreign(file: string): ReturnType<typeof refused> {
  return refused(
    'STATE_STORE_FOREIGN',
    `${file} belongs to another program: it is a database, and no journal of Mission Control.`,
    'Run the mission in another workspace folder, because Mission Control needs .mission-control for itself.',
  );
}

/**
 * Looks before anything is made in the state folder. Reads the header of the file alone, so SQLite makes no side file
 * there. A file with a log is judged when it is opened, because our mark may be in the log alone.
 *
 * A folder that was ours before is not looked at: this process may have its journal open, and to close a second
 * descriptor of it drops the locks.
 */
export async function refuseForeign(file: string): Promise<Outcome<null>> {
  if (await wasOurs(path.dirname(file))) return done(null);
  const header = await firstBytes(file);
  if (header?.toString('latin1', 0, magic.length) !== magic) return done(null);
  const isEmpty = header.readUInt16BE(tables) === 0;
  if (isEmpty || header.readUInt32BE(mark) === applicationId || (await sizeOf(`${file}-wal`)) > 0) return done(null);
  return foreign(file);
}

const magic = 'SQLite format 3\0';
/** Offsets in SQLite's file format: the application id, and the number of cells of the page that lists the tables. */
const mark = 68;
const tables = 103;
const headerLength = 108;

async function firstBytes(file: string): Promise<Buffer | null> {
  // Anything else there is refused by name with the state folder; to open a pipe would wait for its writer.
  if ((await lstat(file).catch(() => null))?.isFile() !== true) return null;
  const handle = await open(file, 'r').catch(() => null);
  if (handle === null) return null;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headerLength), 0, headerLength, 0);
    return bytesRead === headerLength ? buffer : null;
  } finally {
    await handle.close();
  }
}

/** Our own entries are made before a journal is. */
async function wasOurs(folder: string): Promise<boolean> {
  const own = ['.gitignore', 'lease.db'].map((name) => lstat(path.join(folder, name)));
  return (await Promise.allSettled(own)).some(({ status }) => status === 'fulfilled');
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0;
}
