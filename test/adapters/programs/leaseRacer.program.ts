import { openJournalDb } from '../../../src/adapters/journal/inProcess';
import { createLease } from '../../../src/adapters/state/lease';
import { stateFolderOf } from '../../../src/adapters/state/folder';
import { argument, listen, say } from './say';

// <workspace>: takes, looks at and releases the lease as standard input orders.
const folder = stateFolderOf(argument(0));
const journal = openJournalDb(folder.stateDb, 'write');
if (!journal.ok) throw new Error(journal.refusal.reason);
const lease = createLease({ file: folder.leaseDb, journal: journal.value });
say({ ready: true });
listen(async (line) => {
  if (line === 'acquire') {
    const taken = await lease.acquire({ kind: 'runner', name: `racer ${String(process.pid)}` });
    say(taken.ok ? { ok: true, fence: taken.value.fence } : { ok: false, ...taken.refusal });
  } else if (line === 'release') {
    await lease.release();
    say({ released: true });
  } else {
    say({ held: await lease.isOwned() });
  }
});
