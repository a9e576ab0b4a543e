import { openJournalDb } from '../../../src/adapters/journal/inProcess';
import { openStateFolder } from '../../../src/adapters/state/folder';
import { argument, say } from './say';

// <workspace> <state.db> <stream>: what a viewer and what an owner gets here.
void (async () => {
  const folder = await openStateFolder(argument(0));
  say({ folder: folder.ok ? 'ok' : folder.refusal.code });
  const writing = openJournalDb(argument(1), 'write');
  say({ writing: writing.ok ? 'ok' : writing.refusal.code });
  const reading = openJournalDb(argument(1), 'read');
  if (!reading.ok) {
    say({ reading: reading.refusal.code, reason: reading.refusal.reason });
    return;
  }
  say({ reading: 'ok', entries: (await reading.value.read(argument(2))).length });
})();
