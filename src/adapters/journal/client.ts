import { done, errorWords, refused, type Outcome } from '../../base/outcome';
import { Thread } from '../system/threads';
import { createStateJournal, type StateJournal } from './journal';
import type { JournalCall, JournalReply } from './service';
import type { StoreAccess } from './store';
import type { JournalThreadData } from './thread';

/**
 * Opens the journal of `file` in a worker thread, so that writes do not block the caller. `script` is the built
 * journalThread.js. If the thread ends by itself, pending and later appends return WRITE_FAILED (the engine then halts)
 * and readers reject. It is not started again, because it is unknown what it wrote.
 */
export async function openJournalThread<E>({
  script,
  file,
  access,
  key = null,
}: {
  readonly script: string;
  readonly file: string;
  readonly access: StoreAccess;
  readonly key?: string | null;
}): Promise<Outcome<StateJournal<E>>> {
  const thread = new Thread<JournalThreadData, JournalCall, JournalReply>({
    script,
    name: 'mission-journal',
    data: { file, access, key },
  });
  const call = (asked: JournalCall): Promise<JournalReply> => thread.call(asked).catch(failedReply);
  const close = (): Promise<void> => thread.close();
  const opened = await call(['opened']);
  if (opened.ok) return done(createStateJournal<E>({ call, close }, process.pid));
  await close();
  return opened;
}

function failedReply(error: unknown): JournalReply {
  const reason = `The journal's thread has ended: ${errorWords(error)}.`;
  return refused('STATE_STORE_UNWRITABLE', reason, 'Restart Mission Control.');
}
