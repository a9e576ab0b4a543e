import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Actor } from '../../contracts/vocabulary/actors';
import type { Lease } from '../../engine/ports/ownership';
import { done, refused, type Outcome } from '../../base/outcome';
import { lockPause, tryLock } from '../user/lock';
import { loadSqlite, sqliteFault } from '../journal/sqlite';
import type { StateJournal } from '../journal/journal';

/**
 * Ownership as an exclusive SQLite transaction on `file` (lease.db) that is held open and never writes: the
 * operating system ends it with the process, however that dies, so there is nothing to expire and no pid to
 * trust. Two leases in one process exclude each other as well (SQLite keeps one list of locks per process).
 *
 * Each acquisition raises the fencing number in the journal, so that an owner which lost its lock unnoticed
 * (see `StateFolder` on descriptors; a deleted lease.db) can append no more.
 */
export function createLease(options: {
  readonly file: string;
  readonly journal: Pick<StateJournal<unknown>, 'raiseFence' | 'owner'>;
}): Lease {
  const { file, journal } = options;
  let held: DatabaseSync | null = null;
  const free = (): void => {
    held?.close();
    held = null;
  };
  return {
    async acquire(owner: Actor) {
      for (let attempt = 1, owned = 0; held === null; attempt++) {
        const taken = tryLock(file);
        if (!taken.ok) return taken;
        held = taken.value;
        if (held !== null) return fenced(await journal.raiseFence(owner), free);
        if (looksLocked(file)) owned += 1;
        if (owned === attempts || attempt === patience) break;
        await lockPause();
      }
      return refused(
        'LEASE_HELD',
        `The missions of this folder are run by ${await describeOwner(journal)}.`,
        'Send the command there: it is taken from the inbox.',
        'Or end that process; ownership is free at once.',
      );
    },
    release() {
      free();
      return Promise.resolve();
    },
    held: () => isOwned(file, () => held !== null),
  };
}

/** Whether somebody has the lease in this file, without taking it; `here`: this process has it. */
export async function isOwned(file: string, here = (): boolean => false): Promise<boolean> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (here()) return true;
    if (!looksLocked(file)) return false;
    await lockPause();
  }
  return true;
}

/**
 * A look at the lock is a shared lock for some microseconds, and two starts at once can turn each other
 * away: only what lasts is an owner.
 */
const attempts = 6;
/** Who looks can look as well while somebody looks, however long that takes a busy machine: that is no owner. */
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

/** A file that cannot even be looked at counts as free: `acquire` says what is wrong with it. */
function looksLocked(file: string): boolean {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return false;
  const sqlite = loadSqlite();
  if (!sqlite.ok) return false; // who cannot lock cannot own either
  let db: DatabaseSync | null = null;
  try {
    db = new sqlite.value.DatabaseSync(file, { readOnly: true, timeout: 0 });
    // A read needs the shared lock, which an exclusive transaction does not let in.
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return false;
  } catch (error) {
    return sqliteFault(error) === 'busy';
  } finally {
    db?.close();
  }
}

async function describeOwner(journal: Pick<StateJournal<unknown>, 'owner'>): Promise<string> {
  const owner = await journal.owner().catch(() => null); // only the words of the message depend on it
  if (owner === null) return 'another process';
  return `${owner.actor.name} (process ${String(owner.pid)}, since ${owner.at})`;
}
