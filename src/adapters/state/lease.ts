import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Actor } from '../../contracts/vocabulary/actors';
import type { Lease } from '../../engine/ports/ownership';
import { done, refused, type Outcome } from '../../base/outcome';
import { lockPause, tryLock } from '../user/lock';
import { loadSqlite, sqliteFault } from '../journal/sqlite';
import type { StateJournal } from '../journal/journal';

/**
 * Ownership is an exclusive SQLite transaction on `file` (lease.db) that stays open and never
 * writes. The operating system ends it with the process, so nothing expires and no pid is trusted.
 * Two leases in one process exclude each other as well (SQLite keeps one list of locks per
 * process).
 *
 * Each acquisition raises the fencing number in the journal. So an owner that lost its lock
 * unnoticed cannot append. That happens when a descriptor is closed (see `StateFolder`) or lease.db
 * is deleted.
 */
export function createLease(options: {
  readonly file: string;
  readonly journal: Pick<StateJournal<unknown>, 'raiseFence' | 'owner'>;
}): Lease {
  const { file, journal } = options;
  let connection: DatabaseSync | null = null;
  const free = (): void => {
    connection?.close();
    connection = null;
  };
  return {
    async acquire(owner: Actor) {
      for (let attempt = 1, owned = 0; connection === null; attempt++) {
        const taken = tryLock(file);
        if (!taken.ok) return taken;
        connection = taken.value;
        if (connection !== null) return fenced(await journal.raiseFence(owner), free);
        if (looksLocked(file)) owned += 1;
        if (owned === attempts || attempt === patience) break;
        await lockPause();
      }
      return refused(
        'LEASE_HELD',
        `The missions of this folder are run by ${await ownerWords(journal)}.`,
        'mission status',
        'Wait until its missions have ended, then repeat the command.',
        'Or cancel its missions, which `mission status` names.',
        'Or end that process; ownership is free at once.',
      );
    },
    release() {
      free();
      return Promise.resolve();
    },
    isOwned: () => isOwned(file, () => connection !== null),
  };
}

/** Returns whether a process has the lease, without taking it; `here`: whether this process has it. */
export async function isOwned(file: string, here = (): boolean => false): Promise<boolean> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (here()) return true;
    if (!looksLocked(file)) return false;
    await lockPause();
  }
  return true;
}

/** Tests of the lock are short shared locks that reject each other; a lock that outlasts this many is an owner's. */
const attempts = 6;
/**
 * Failed attempts before it gives up. They are many, because on a busy machine the tests of other
 * processes may take long. Such a test is no owner.
 */
const patience = 150;

function fenced<T extends { readonly fence: number }>(
  raised: Outcome<T>,
  free: () => void,
): Outcome<{ fence: number }> {
  if (!raised.ok) {
    free();
    return raised;
  }
  return done({ fence: raised.value.fence });
}

/** A file that cannot be read counts as free: `acquire` reports what is wrong with it. */
function looksLocked(file: string): boolean {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return false;
  const sqlite = loadSqlite();
  if (!sqlite.ok) return false; // Without SQLite no process here can own either.
  let db: DatabaseSync | null = null;
  try {
    db = new sqlite.value.DatabaseSync(file, { readOnly: true, timeout: 0 });
    // A read needs the shared lock, which an exclusive transaction denies.
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return false;
  } catch (error) {
    return sqliteFault(error) === 'busy';
  } finally {
    db?.close();
  }
}

/** Says who ran the missions last, which is the process that runs them while the lease is held. */
export async function ownerWords(journal: Pick<StateJournal<unknown>, 'owner'>): Promise<string> {
  const owner = await journal.owner().catch(() => null); // only the words of the message depend on it
  if (owner === null) return 'another process';
  return `${owner.actor.name} (process ${String(owner.pid)}, since ${owner.at})`;
}
