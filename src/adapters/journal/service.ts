import type { ChainPlace } from '../../engine/ports/journal';
import { isSnapshot, openJournalStore } from './open';
import type { AppendRequest } from './append';
import type { JournalStore, Ownership, StoreAccess } from './store';
import { done, type Outcome, type Refusal, errorMessage } from '../../base/outcome';
import { rowsFault, toFolded, type EntryRow, type FoldedPage, type PlacedRow, allPages, chainStart } from './rows';
import { corrupt, storeRefusal } from './sqlite';

/** A call to the journal as data, which can cross to the worker thread. */
export type JournalCall =
  /** Asks how opening went; if it failed, every call gets the refusal. */
  | { readonly kind: 'opened' }
  | { readonly kind: 'append'; readonly request: AppendRequest }
  /** At most `pageRows` entries. */
  | { readonly kind: 'page'; readonly stream: string; readonly afterSeq: number }
  /** The same for a fold; `verified`: refuses unless the entries follow this place of the chain. */
  | {
      readonly kind: 'foldedPage';
      readonly stream: string;
      readonly afterSeq: number;
      readonly verified: ChainPlace | null;
    }
  | { readonly kind: 'streams' }
  /** Entries of all streams after a place, in the order in which they were appended. */
  | { readonly kind: 'after'; readonly place: number; readonly most: number }
  | { readonly kind: 'placeOf'; readonly stream: string; readonly seq: number }
  | { readonly kind: 'verify'; readonly stream: string }
  | { readonly kind: 'prove'; readonly stream: string; readonly place: ChainPlace }
  | { readonly kind: 'export'; readonly stream: string }
  | { readonly kind: 'raiseFence'; readonly owner: Omit<Ownership, 'fence'> }
  | { readonly kind: 'owner' };

/** The result of each call; refusals come beside it. */
export interface JournalResults {
  readonly opened: null;
  readonly append: ReturnType<JournalStore['append']>[number];
  readonly page: readonly EntryRow[];
  readonly foldedPage: FoldedPage;
  readonly streams: ReturnType<JournalStore['streams']>;
  readonly after: readonly PlacedRow[];
  readonly placeOf: number | null;
  readonly verify: ReturnType<JournalStore['verify']>;
  readonly prove: string | null;
  readonly export: ReturnType<JournalStore['exportLines']>;
  readonly raiseFence: Ownership;
  readonly owner: Ownership | null;
}
export type JournalReply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly refusal: Refusal };

/** Runs calls on the thread that has the store open. */
export interface JournalService {
  /** Runs calls in order; consecutive appends share one transaction (group commit). Never throws. */
  run(calls: readonly JournalCall[]): readonly JournalReply[];
  close(): void;
}

export function openJournalService(file: string, access: StoreAccess): Outcome<JournalService> {
  const opened = openJournalStore(file, access);
  if (!opened.ok) return opened;
  let store = opened.value;
  let closed = false;
  const current = (): Outcome<JournalStore> => {
    if (closed || !isSnapshot(store)) return done(store);
    const again = openJournalStore(file, access);
    if (again.ok) {
      store.close();
      store = again.value;
    }
    return again;
  };
  return done({
    run(calls) {
      const replies: JournalReply[] = [];
      for (let index = 0; index < calls.length;) {
        const appends = takeAppends(calls, index);
        if (appends.length > 0) {
          for (const receipt of store.append(appends)) replies.push(done(receipt));
          index += appends.length;
        } else {
          const now = current();
          replies.push(
            now.ok ? answer(now.value, file, calls[index] as Exclude<JournalCall, { kind: 'append' }>) : now,
          );
          index += 1;
        }
      }
      return replies;
    },
    close() {
      closed = true;
      store.close();
    },
  });
}

function takeAppends(calls: readonly JournalCall[], from: number): readonly AppendRequest[] {
  const requests: AppendRequest[] = [];
  for (let index = from; index < calls.length; index++) {
    const call = calls[index];
    if (call?.kind !== 'append') break;
    requests.push(call.request);
  }
  return requests;
}

function answer(store: JournalStore, file: string, call: Exclude<JournalCall, { kind: 'append' }>): JournalReply {
  try {
    switch (call.kind) {
      case 'opened':
        return done(null);
      case 'page':
        return done(store.page(call.stream, call.afterSeq));
      case 'foldedPage': {
        if (!call.verified) return done(store.foldedPage(call.stream, call.afterSeq));
        const rows = store.page(call.stream, call.afterSeq);
        const fault = rowsFault(call.stream, rows, call.verified);
        return fault
          ? corrupt(file, `entry ${String(fault.seq)} of ${call.stream} was changed (${fault.what})`)
          : done(toFolded(rows));
      }
      case 'streams':
        return done(store.streams());
      case 'after':
        return done(store.after(call.place, call.most));
      case 'placeOf':
        return done(store.placeOf(call.stream, call.seq));
      case 'verify':
        return done(store.verify(call.stream));
      case 'prove':
        return done(store.settle() ?? proveChain(file, call.stream, call.place));
      case 'export':
        return done(store.exportLines(call.stream));
      case 'raiseFence':
        return store.raiseFence(call.owner);
      case 'owner':
        return done(store.owner());
    }
  } catch (error) {
    return storeRefusal(file, error);
  }
}

/**
 * Says whether the stored file holds a stream up to this place of its chain, unchanged and with its triggers. Null: it
 * does; else the fault.
 *
 * Reads everything through a new connection without caches, after `JournalStore.settle` has moved the log into the
 * file. SQLite does both, because other ways of reading would drop this process's locks.
 */
function proveChain(file: string, stream: string, place: ChainPlace): string | null {
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
