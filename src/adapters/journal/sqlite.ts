import { valueAt } from '../../base/json';
import { withoutEnd } from '../../base/text/plainLine';
import { closeSync, openSync } from 'node:fs';
import { done, errorCode, errorWords, refused, type Outcome } from '../../base/outcome';

type Sqlite = typeof import('node:sqlite');

/**
 * Loads `node:sqlite` at run time, because an import would end an old Node at once. A person could
 * then not read which Node the program needs.
 */
export function loadSqlite(): Outcome<Sqlite> {
  // Node before 20.16 has no getBuiltinModule, although the types say so.
  const { getBuiltinModule } = process as { getBuiltinModule?: (id: string) => object | undefined };
  const sqlite = getBuiltinModule?.('node:sqlite') as Sqlite | undefined;
  if (sqlite !== undefined) return done(sqlite);
  return refused('STATE_STORE_UNWRITABLE', `Node ${process.versions.node} has no SQLite.`, 'Use Node 24 or later.');
}

/** The meaning of a failed SQLite call. */
export type SqliteFault = 'busy' | 'corrupt' | 'full' | 'unwritable' | 'locking' | 'other';

/** Source: https://sqlite.org/rescode.html (the low byte is the primary code). */
const faults: Readonly<Record<number, SqliteFault>> = {
  5: 'busy', // BUSY
  6: 'busy', // LOCKED
  8: 'unwritable', // READONLY
  10: 'unwritable', // IOERR
  11: 'corrupt', // CORRUPT
  13: 'full', // FULL
  14: 'unwritable', // CANTOPEN
  15: 'locking', // PROTOCOL
  22: 'locking', // NOLFS
  23: 'unwritable', // AUTH
  26: 'corrupt', // NOTADB
};

/** IOERR_UNLOCK, IOERR_RDLOCK, IOERR_CHECKRESERVEDLOCK, IOERR_LOCK, IOERR_SHMOPEN, IOERR_SHMLOCK, IOERR_SHMMAP. */
const lockingCodes = new Set([8 << 8, 9 << 8, 14 << 8, 15 << 8, 18 << 8, 20 << 8, 21 << 8].map((code) => code | 10));

export function sqliteFault(error: unknown): SqliteFault {
  if (typeof error !== 'object' || error === null || !('errcode' in error) || typeof error.errcode !== 'number')
    return 'other';
  if (lockingCodes.has(error.errcode)) return 'locking';
  return faults[error.errcode & 0xff] ?? 'other';
}

/**
 * IOERR_SHMSIZE: the file beside the log cannot grow. It has no fault of its own, because a reader works without that
 * file.
 */
const sizeCode = (19 << 8) | 10;

/** The refusal of the store at `file` that this error makes unusable. */
export function storeRefusal(file: string, error: unknown): ReturnType<typeof refused> {
  const reason = `${file} cannot be used: ${errorWords(error)}`;
  const isFull = valueAt(error, 'errcode') === sizeCode;
  switch (isFull ? 'full' : sqliteFault(error)) {
    case 'corrupt':
      return corrupt(file, errorWords(error));
    case 'full':
      return refused('STATE_STORE_UNWRITABLE', `${reason} (the disk is full).`, 'Free some space and try again.');
    case 'locking':
      return refused('LEASE_UNSUPPORTED', `${reason} (the file system cannot hold locks).`, localDisk);
    case 'busy':
      return refused('STATE_STORE_UNWRITABLE', `${reason} (another process keeps it busy).`, 'Try again.');
    default:
      return refused('STATE_STORE_UNWRITABLE', `${reason}.`, 'Make the folder and the file writable for your user.');
  }
}

/** Creates the file with mode 0600 before SQLite does, because SQLite gives its side files the same mode. */
export function createDatabaseFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    // It exists and was not opened, so this process lost no lock.
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/** The next step where locks cannot be trusted. */
export const localDisk = 'Keep the workspace on a local disk.';

export function corrupt(file: string, reason: string): ReturnType<typeof refused> {
  return refused(
    'STATE_STORE_CORRUPT',
    `${file} is not a journal that can be trusted: ${withoutEnd(reason)}.`,
    'Keep a copy of the state folder: it is the record of what happened.',
    'Run `mission doctor --repair`, or move the state folder away to start with an empty journal.',
  );
}
