import type { ChainPlace } from '../../engine/ports/journal';
import { openJournalStore } from './open';
import { allPages, chainStart, rowsFault } from './rows';
import { errorMessage } from '../../base/outcome';

/**
 * Says whether the stored file holds a stream up to this place of its chain, unchanged and with its triggers. Null: it
 * does; else the fault.
 *
 * Reads everything through a new connection without caches, after `JournalStore.settle` has moved the log into the
 * file. SQLite does both, because other ways of reading would drop this process's locks.
 */
export function proveChain(file: string, stream: string, place: ChainPlace): string | null {
  const opened = openJournalStore(file, 'read');
  if (!opened.ok) return opened.refusal.reason;
  const store = opened.value;
  try {
    let end = chainStart;
    let atPlace: string | null = null;
    for (const rows of allPages((after) => store.page(stream, after))) {
      const fault = rowsFault(stream, rows, end);
      if (fault) return `entry ${String(fault.seq)} was changed (${fault.what})`;
      atPlace = rows.find(([seq]) => seq === place.seq)?.[7] ?? atPlace;
      const last = rows.at(-1);
      if (last) end = { seq: last[0], hash: last[7] };
    }
    if (end.seq < place.seq)
      return `it ends with entry ${String(end.seq)}, and ${String(place.seq)} entries were written`;
    return atPlace === place.hash
      ? null
      : `entry ${String(place.seq)} is not the one that was written: the history was replaced`;
  } catch (error) {
    return `it can no longer be read (${errorMessage(error)})`;
  } finally {
    store.close();
  }
}
