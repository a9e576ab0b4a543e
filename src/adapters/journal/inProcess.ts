import { openJournalService, type JournalCall, type JournalReply } from './service';
import type { StoreAccess } from './store';
import { done, refused, type Outcome } from '../../base/outcome';
import { createStateJournal, type StateJournal } from './journal';

/**
 * The journal of `file` on the caller's thread, for programs that may wait for the disk. Refuses in the same cases as
 * `openJournalStore`.
 */
export function openJournalDb<E>(
  file: string,
  access: StoreAccess,
  key: string | null = null,
): Outcome<StateJournal<E>> {
  const service = openJournalService(file, access, key);
  if (!service.ok) return service;
  let queue: { readonly call: JournalCall; readonly resolve: (reply: JournalReply) => void }[] = [];
  let closed = false;
  const drain = (): void => {
    const waiting = queue;
    queue = [];
    const replies = service.value.run(waiting.map(({ call }) => call));
    waiting.forEach(({ resolve }, index) => resolve(replies[index] as JournalReply));
  };
  const transport = {
    call: (call: JournalCall) =>
      new Promise<JournalReply>((resolve) => {
        if (closed) {
          resolve(refused('STATE_STORE_UNWRITABLE', 'The journal is closed.', 'Repeat the command.'));
          return;
        }
        // Calls of the same turn run together.
        if (queue.push({ call, resolve }) === 1) queueMicrotask(drain);
      }),
    close: () => {
      closed = true;
      if (queue.length > 0) drain();
      service.value.close();
      return Promise.resolve();
    },
  };
  return done(createStateJournal<E>(transport, process.pid));
}
