import type { ChainPlace } from '../../engine/ports/journal';
import { openJournalStore } from './open';
import type { AppendReceipt, AppendRequest } from './append';
import {
  type JournalStore,
  type Ownership,
  type StoreAccess,
  rowsFault,
  toFolded,
  type FoldedPage,
  allPages,
  chainStart,
} from './store';
import { done, type Outcome, type Refusal, errorWords } from '../../base/outcome';
import type { CallOf } from '../system/threads';
import { corrupt, storeRefusal } from './sqlite';

/** The calls to the journal; refusals come beside what they return. */
export interface JournalCalls extends Pick<
  JournalStore,
  'page' | 'streams' | 'after' | 'placeOf' | 'verify' | 'exportLines' | 'owner'
> {
  /** Asks how opening went; if it failed, every call gets the refusal. */
  opened(): null;
  append(request: AppendRequest): AppendReceipt;
  /** `verified`: refuses unless the entries follow this place of the chain. */
  foldedPage(stream: string, afterSeq: number, verified: ChainPlace | null): FoldedPage;
  prove(stream: string, place: ChainPlace): string | null;
  raiseFence(owner: Omit<Ownership, 'fence'>): Ownership;
}

/** A call as data, which can cross to the worker thread. */
export type JournalCall = CallOf<JournalCalls>;

export type JournalReply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly refusal: Refusal };

/** Runs calls on the thread that has the store open. */
export interface JournalService {
  /** Runs calls in order; consecutive appends share one transaction (group commit). Never throws. */
  run(calls: readonly JournalCall[]): readonly JournalReply[];
  close(): void;
}

export function openJournalService(
  file: string,
  access: StoreAccess,
  key: string | null = null,
): Outcome<JournalService> {
  const opened = openJournalStore(file, access, key);
  if (!opened.ok) return opened;
  let store = opened.value;
  let closed = false;
  const current = (): Outcome<JournalStore> => {
    if (closed || !store.immutable) return done(store);
    const again = openJournalStore(file, access, key);
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
          replies.push(now.ok ? answer(now.value, file, calls[index] as Exclude<JournalCall, AppendCall>) : now);
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

type AppendCall = Extract<JournalCall, readonly ['append', ...unknown[]]>;

function takeAppends(calls: readonly JournalCall[], from: number): readonly AppendRequest[] {
  const requests: AppendRequest[] = [];
  for (let index = from; index < calls.length; index++) {
    const call = calls[index];
    if (call?.[0] !== 'append') break;
    requests.push(call[1]);
  }
  return requests;
}

function answer(store: JournalStore, file: string, call: Exclude<JournalCall, AppendCall>): JournalReply {
  try {
    switch (call[0]) {
      case 'opened':
        return done(null);
      case 'foldedPage': {
        const [, stream, afterSeq, verified] = call;
        if (!verified) return done(store.foldedPage(stream, afterSeq));
        const rows = store.page(stream, afterSeq);
        const fault = rowsFault(stream, rows, verified);
        return fault
          ? corrupt(file, `entry ${String(fault.seq)} of ${stream} was changed (${fault.what})`)
          : done(toFolded(rows));
      }
      case 'prove':
        return done(store.settle() ?? proveChain(file, call[1], call[2]));
      case 'raiseFence':
        return store.raiseFence(call[1]);
      default: {
        const [name, ...args] = call;
        return done(Reflect.apply(store[name], store, args) as unknown);
      }
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
    return `it can no longer be read (${errorWords(error)})`;
  } finally {
    store.close();
  }
}
