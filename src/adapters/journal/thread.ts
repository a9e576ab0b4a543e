import { serveBatches } from '../system/threads';
import { openJournalService } from './service';
import type { StoreAccess } from './store';

// Entry point of the worker thread that has the journal open, bundled to dist/journalThread.js.

export interface JournalThreadData {
  readonly file: string;
  readonly access: StoreAccess;
  /** See `openJournalStore`. */
  readonly key: string | null;
}

serveBatches(({ file, access, key }: JournalThreadData) => {
  const service = openJournalService(file, access, key);
  return service.ok ? service.value : { run: (calls) => calls.map(() => service), close: () => undefined };
});
