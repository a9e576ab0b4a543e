import { statSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { errorHelp, done, errorWords, refused, type Outcome } from '../../base/outcome';
import { createDatabaseFile, loadSqlite, localDisk, sqliteFault } from '../journal/sqlite';
import { openUserStateFolder } from './folder';

/** Runs `work` as `whileLocked` does, with a lock of this user's state folder. */
export async function oneAtATime<T>(name: string, work: () => Promise<T>): Promise<T> {
  const state = await openUserStateFolder();
  return state.ok ? whileLocked(path.join(state.value, `${name}.lock`), work) : work();
}

/**
 * Runs `work` while no other process runs work with the same lock file. After about 10 s, or without a usable lock, runs
 * it anyway, so `work` must still check what it changes.
 */
export async function whileLocked<T>(file: string, work: () => Promise<T>): Promise<T> {
  let lock: DatabaseSync | null = null;
  for (let attempt = 1; lock === null && attempt <= 500; attempt++) {
    const taken = tryLock(file);
    if (!taken.ok) break;
    lock = taken.value;
    if (lock === null) await lockPause();
  }
  try {
    return await work();
  } finally {
    lock?.close();
  }
}

/**
 * An exclusive SQLite transaction on `file` that never writes; null: another connection, perhaps of this process, holds
 * it. Closing it frees the lock, and so does the operating system when the process dies.
 */
export function tryLock(file: string): Outcome<DatabaseSync | null> {
  const sqlite = loadSqlite();
  if (!sqlite.ok) return sqlite;
  let db: DatabaseSync | null = null;
  try {
    createDatabaseFile(file);
    // Refuses content, because we never write any, and it could switch SQLite to a locking mode that lets readers in.
    if (statSync(file).size !== 0) {
      const reason = `${file} is not empty: it is not our lock.`;
      return refused('STATE_STORE_CORRUPT', reason, `Delete ${file}; it holds no data.`);
    }
    db = new sqlite.value.DatabaseSync(file, { timeout: 0 });
    db.exec('BEGIN EXCLUSIVE');
    return done(db);
  } catch (error) {
    db?.close();
    switch (sqliteFault(error)) {
      case 'busy':
        return done(null);
      case 'locking':
        return refused('LEASE_UNSUPPORTED', `${file} cannot be locked: ${errorWords(error)}.`, localDisk);
      default:
        return refused(
          'STATE_STORE_UNWRITABLE',
          `${file} cannot be locked: ${errorWords(error)}.`,
          errorHelp(error, 'Make it writable for your user.'),
        );
    }
  }
}

/** Waits 10 to 30 ms, long enough for a test of the lock, and random, so that two processes differ. */
export function lockPause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 20));
}
