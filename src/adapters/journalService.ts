import type { Outcome, Refusal } from '../engine/ports';
import { isSnapshot, openJournalStore } from './journalOpen';
import type { AppendRequest } from './journalAppend';
import type { JournalStore, Ownership, StoreAccess } from './journalStore';
import { done } from './outcome';
import { storeRefusal } from './sqlite';

/** What can be asked of a journal, as data: it crosses to the worker thread. */
export type JournalCall =
  | { readonly kind: 'append'; readonly request: AppendRequest }
  | { readonly kind: 'read'; readonly stream: string; readonly afterSeq: number }
  | { readonly kind: 'streams' }
  | { readonly kind: 'verify'; readonly stream: string }
  | { readonly kind: 'export'; readonly stream: string }
  | { readonly kind: 'raiseFence'; readonly owner: Omit<Ownership, 'fence'> }
  | { readonly kind: 'owner' };

/** What each kind of call gives; refusals beside it. */
export interface JournalResults {
  readonly append: ReturnType<JournalStore['append']>[number];
  readonly read: ReturnType<JournalStore['read']>;
  readonly streams: ReturnType<JournalStore['streams']>;
  readonly verify: ReturnType<JournalStore['verify']>;
  readonly export: ReturnType<JournalStore['exportLines']>;
  readonly raiseFence: Ownership;
  readonly owner: Ownership | null;
}
export type JournalReply =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly refusal: Refusal };

/** Carries calls out on the thread that has the store. */
export interface JournalService {
  /** In the order given; appends that follow each other share one transaction (group commit). Never throws. */
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
      case 'read':
        return done(store.read(call.stream, call.afterSeq));
      case 'streams':
        return done(store.streams());
      case 'verify':
        return done(store.verify(call.stream));
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
