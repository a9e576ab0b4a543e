import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Actor } from '../../contracts/vocabulary/actors';
import type { Lease } from '../../engine/ports/ownership';
import { done, refused, type Outcome } from '../../base/outcome';
import { lockPause, tryLock } from '../user/lock';
import { loadSqlite, sqliteFault } from '../journal/sqlite';
import { identityOf } from '../processes/tree';
import type { StateJournal } from '../journal/journal';

/**
 * Ownership is an exclusive SQLite transaction on `file` (lease.db) that stays open and never writes. It ends with the
 * process, so nothing expires and no pid is trusted. Two leases in one process exclude each other as well.
 *
 * Each acquisition raises the fencing number in the journal. So an owner that lost its lock unnoticed cannot append: a
 * descriptor was closed (see `StateFolder`), or lease.db was deleted.
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
        if (connection !== null) {
          const raised = await journal.raiseFence(owner);
          if (!raised.ok) free();
          return raised.ok ? done({ fence: raised.value.fence }) : raised;
        }
        if (looksLocked(file)) owned += 1;
        if (owned === attempts) break;
        if (attempt === patience) return blocked(file);
        await lockPause();
      }
      return refused(
        'LEASE_HELD',
        `The missions of this folder are run by ${await ownerWords(file, journal)}.`,
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
/** Failed attempts before it gives up: many, because on a busy machine the tests of other processes take long. */
const patience = 150;

/** An owner's lock lets no other process read. This lock does, so its holder runs no mission. */
function blocked(file: string): Outcome<never> {
  const holder = holderOf(file);
  return refused(
    'LEASE_BLOCKED',
    `No process runs the missions of this folder, and ${holder ?? 'another program'} holds a lock on ${file}.`,
    'If a worker holds it: `mission stop --all` (*Stop Everything*) ends all workers at once.',
    `Or end ${holder ?? 'that program'}; ownership is free at once.`,
  );
}

/** Names the processes with a lock on a file, by pid; null: this machine, or this user, does not see them. */
function holderOf(file: string): string | null {
  if (process.platform !== 'linux') return null;
  const { dev, ino } = statSync(file);
  const isHeld = (descriptor: string, details: string): boolean => {
    try {
      const at = statSync(descriptor);
      return at.dev === dev && at.ino === ino && /^lock:/m.test(readFileSync(details, 'utf8'));
    } catch {
      return false; // it was closed meanwhile
    }
  };
  const holds = (pid: string): boolean => {
    const folder = `/proc/${pid}`;
    return entriesOf(`${folder}/fd`).some((number) => isHeld(`${folder}/fd/${number}`, `${folder}/fdinfo/${number}`));
  };
  const found = entriesOf('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid && holds(name));
  return found.length === 0 ? null : `process ${found.join(', ')}`;
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // gone, or another user's
  }
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

/** Says who runs the missions: the process that ran them last, if it lives, else the one that holds the lock. */
export async function ownerWords(file: string, journal: Pick<StateJournal<unknown>, 'owner'>): Promise<string> {
  const owner = await journal.owner().catch(() => null); // only the words of the message depend on it
  if (owner === null || (await identityOf(owner.pid)) === null) return holderOf(file) ?? 'another process';
  return `${owner.actor.name} (process ${String(owner.pid)}, since ${owner.at})`;
}
