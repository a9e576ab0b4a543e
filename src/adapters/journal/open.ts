import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { connectionTo, inTransaction } from './append';
import { JournalStore, type StoreAccess } from './store';
import { foreign } from './foreign';
import { createTables, schemaState, writeMark } from './schema';
import { errorHelp, done, errorCode, errorWords, refused, type Outcome } from '../../base/outcome';
import { corrupt, createDatabaseFile, loadSqlite, localDisk, sqliteFault, storeRefusal } from './sqlite';

/**
 * Opens the store at `file`. `write` creates it (mode 0600). `read` changes
 * nothing and does not hinder an owner; a store that was never written reads as empty. `read` works in a read-only
 * folder too, unless an owner of another user writes there.
 *
 * @param key seals the entries, and tells whose they are; null: nothing is sealed
 *
 * Refuses with STATE_STORE_NEWER, STATE_STORE_FOREIGN, STATE_STORE_UNMARKED, STATE_STORE_CORRUPT,
 * STATE_STORE_UNWRITABLE or LEASE_UNSUPPORTED; never throws.
 */
export function openJournalStore(file: string, access: StoreAccess, key: string | null = null): Outcome<JournalStore> {
  return access === 'write' ? openForWriting(file, key) : openForReading(file, key);
}

/** Milliseconds that a write waits for another writing process. */
const busyTimeoutMs = 5000;
const briefTimeoutMs = 250;

/** Opens again where another process was creating the store, because each statement of an opening may meet it. */
function openForWriting(file: string, key: string | null): Outcome<JournalStore> {
  const sqlite = loadSqlite();
  if (!sqlite.ok) return sqlite;
  try {
    createDatabaseFile(file);
    return withRetry(() => {
      const db = new sqlite.value.DatabaseSync(file, { timeout: busyTimeoutMs });
      try {
        const refusal = schemaRefusal(db, file) ?? preparedForWriting(db, file);
        if (refusal === null) return done(new JournalStore(db, file, 'write', false, key));
        db.close();
        return refusal;
      } catch (error) {
        db.close();
        throw error;
      }
    });
  } catch (error) {
    return unusable(file, error);
  }
}

function preparedForWriting(db: DatabaseSync, file: string): ReturnType<typeof refused> | null {
  if (db.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode'] !== 'wal') {
    const reason = `${file} cannot be opened: the file system cannot share a write-ahead log.`;
    return refused('LEASE_UNSUPPORTED', reason, localDisk);
  }
  db.exec(durability);
  createIfEmpty(db);
  return null;
}

function openForReading(file: string, key: string | null): Outcome<JournalStore> {
  const sqlite = loadSqlite();
  if (!sqlite.ok) return sqlite;
  let db: DatabaseSync | null = null;
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return done(neverWritten(sqlite.value, file));
    let immutable = false;
    db = new sqlite.value.DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs });
    if (!canRead(db, file)) {
      // Without a log no writer was cut off, so the file is complete.
      db.close();
      const url = pathToFileURL(file);
      url.searchParams.set('immutable', '1');
      db = new sqlite.value.DatabaseSync(url, { readOnly: true });
      immutable = true;
    }
    db.exec('PRAGMA trusted_schema = OFF');
    const state = schemaState(db);
    const refusal = schemaRefusal(db, file);
    if (refusal === null && state !== 'empty') return done(new JournalStore(db, file, 'read', immutable, key));
    db.close();
    return refusal ?? done(neverWritten(sqlite.value, file));
  } catch (error) {
    if (db?.isOpen === true) db.close();
    return unusable(file, error);
  }
}

/** A store that was never written: empty, and opened again by the next call. */
function neverWritten({ DatabaseSync: Database }: typeof import('node:sqlite'), file: string): JournalStore {
  const db = new Database(':memory:');
  createTables(db);
  return new JournalStore(db, file, 'read', true);
}

/** FULL: a commit is on disk when it returns, so it survives a power failure. */
const durability = `PRAGMA trusted_schema = OFF; PRAGMA synchronous = FULL; PRAGMA fullfsync = 1;
  PRAGMA checkpoint_fullfsync = 1; PRAGMA journal_size_limit = 67108864`;

/** False: SQLite needs side files that do not exist and may not be created. */
function canRead(db: DatabaseSync, file: string): boolean {
  try {
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return true;
  } catch (error) {
    const cutOff = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
    if (sqliteFault(error) !== 'unwritable' || cutOff) throw error;
    return false;
  }
}

function schemaRefusal(db: DatabaseSync, file: string): ReturnType<typeof refused> | null {
  switch (withRetry(() => schemaState(db))) {
    case 'newer':
      return refused('STATE_STORE_NEWER', `${file} was written by a newer Mission Control.`, 'Update Mission Control.');
    case 'foreign':
      return foreign(file);
    case 'unmarked':
      return refused(
        'STATE_STORE_UNMARKED',
        `${file} has the tables of a journal, and not the mark of Mission Control: a dump leaves the mark out.`,
        'Run `mission doctor --repair`, which writes the mark again.',
      );
    case 'altered':
      return corrupt(file, 'its tables and triggers are not those of a journal');
    default:
      return null;
  }
}

/**
 * Writes the mark into the store at `file` if it has our tables without it. Waits for another writing process only
 * briefly, because the thread of the editor may wait with it.
 */
export function markStore(file: string): Outcome<null> {
  const sqlite = loadSqlite();
  if (!sqlite.ok) return sqlite;
  let db: DatabaseSync | null = null;
  try {
    const opened = (db = new sqlite.value.DatabaseSync(file, { timeout: briefTimeoutMs }));
    inTransaction(connectionTo(opened), () => {
      if (schemaState(opened) === 'unmarked') writeMark(opened);
    });
    return done(null);
  } catch (error) {
    return unusable(file, error);
  } finally {
    db?.close();
  }
}

function createIfEmpty(db: DatabaseSync): void {
  if (schemaState(db) === 'current') return;
  inTransaction(connectionTo(db), () => {
    // Checks again, because another process may have been faster.
    if (schemaState(db) === 'empty') createTables(db);
  });
}

/** Retries for twice the timeout: SQLite answers busy at once, whatever the timeout, while another process switches. */
function withRetry<T>(work: () => T): T {
  const until = performance.now() + 2 * busyTimeoutMs;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (sqliteFault(error) !== 'busy' || performance.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

function unusable(file: string, error: unknown): ReturnType<typeof refused> {
  if (errorCode(error) === 'ERR_SQLITE_ERROR') return storeRefusal(file, error);
  return refused(
    'STATE_STORE_UNWRITABLE',
    `${file} cannot be opened: ${errorWords(error)}.`,
    errorHelp(error, 'Make the folder and the file writable for your user.'),
  );
}
