import { entryHash, exportLine, firstPrevHash, verifyChain } from '../../src/adapters/journal/hash';
import type { StoredEntry } from '../../src/adapters/journal/hash';
import type { JournalCall, JournalCalls, JournalReply } from '../../src/adapters/journal/service';
import type { AppendReceipt, AppendRequest } from '../../src/adapters/journal/append';
import {
  type Ownership,
  pageRows,
  rowsFault,
  toFolded,
  type EntryRow,
  type PlacedRow,
} from '../../src/adapters/journal/store';
import { done, refused } from '../../src/base/outcome';
import type { StateJournal } from '../../src/adapters/journal/journal';
import { createStateJournal } from '../../src/adapters/journal/journal';

/** A journal in memory that behaves like the one on disk (same test suite), and that a test can make fail. */
export interface MemoryJournal<E> extends StateJournal<E> {
  /** Every append is refused with this from now on; null: no more. */
  refuseAppends(refusal: Exclude<AppendReceipt, { ok: true }> | null): void;
}

export function createMemoryJournal<E>(): MemoryJournal<E> {
  const entries: StoredEntry[] = [];
  let owner: Ownership | null = null;
  let refusal: Exclude<AppendReceipt, { ok: true }> | null = null;
  let closed = false;
  const ofStream = (stream: string): StoredEntry[] => entries.filter((entry) => entry.stream === stream);

  const append = ({ stream, expectedSeq, fence, entries: added }: AppendRequest): AppendReceipt => {
    if (refusal !== null) return refusal;
    if (owner?.fence !== fence) return { ok: false, code: 'FENCED', reason: 'another owner' };
    let previous = ofStream(stream).at(-1);
    if ((previous?.seq ?? 0) !== expectedSeq)
      return { ok: false, code: 'STALE_SEQUENCE', reason: 'another sequence number' };
    const receipts = added.map(({ run_id, at, actor, event }) => {
      const unhashed = {
        ...{ stream, seq: (previous?.seq ?? 0) + 1, run_id, at, actor_kind: actor.kind, actor_name: actor.name },
        ...{ fence, prev_hash: previous?.hash ?? firstPrevHash, event },
      };
      previous = { ...unhashed, hash: entryHash(unhashed) };
      entries.push(previous);
      return previous;
    });
    return { ok: true, receipts };
  };

  const page = (stream: string, afterSeq: number): readonly EntryRow[] =>
    ofStream(stream)
      .filter(({ seq }) => seq > afterSeq)
      .slice(0, pageRows)
      .map(({ seq, run_id, at, actor_kind, actor_name, fence, prev_hash, hash, event }) => {
        return [seq, run_id, at, actor_kind, actor_name, fence, prev_hash, hash, event];
      });

  const calls: Omit<JournalCalls, 'foldedPage'> = {
    opened: () => null,
    append,
    page,
    streams: () =>
      [...new Set(entries.map(({ stream }) => stream))].map((stream) => {
        const own = ofStream(stream);
        return {
          stream,
          last_seq: own.length,
          first_at: own[0]?.at ?? '',
          last_at: own.at(-1)?.at ?? '',
          sealed: true,
        };
      }),
    after: (place, most) =>
      entries.slice(place, place + Math.min(most, pageRows)).map((entry, index): PlacedRow => {
        const { stream, seq, run_id, at, actor_kind, actor_name, fence, prev_hash, hash, event } = entry;
        return [place + index + 1, stream, seq, run_id, at, actor_kind, actor_name, fence, prev_hash, hash, event];
      }),
    placeOf(stream, seq) {
      const index = entries.findIndex((entry) => entry.stream === stream && entry.seq === seq);
      return index < 0 ? null : index + 1;
    },
    verify: (stream) => verifyChain(ofStream(stream)),
    prove: (stream, place) => (ofStream(stream)[place.seq - 1]?.hash === place.hash ? null : 'another history'),
    exportLines: (stream) => ofStream(stream).map(exportLine),
    raiseFence: (next) => (owner = { ...next, fence: (owner?.fence ?? 0) + 1 }),
    owner: () => owner,
  };

  const run = (call: JournalCall): JournalReply => {
    if (call[0] === 'foldedPage') {
      const [, stream, afterSeq, verified] = call;
      const rows = page(stream, afterSeq);
      const fault = verified && rowsFault(stream, rows, verified);
      return fault ? refused('STATE_STORE_CORRUPT', fault.what) : done(toFolded(rows));
    }
    const [name, ...args] = call;
    return done((calls[name] as (...given: typeof args) => unknown)(...args));
  };

  const journal = createStateJournal<E>(
    {
      call: (call) => Promise.resolve(closed ? refused('STATE_STORE_UNWRITABLE', 'The journal is closed.') : run(call)),
      close: () => {
        closed = true;
        return Promise.resolve();
      },
    },
    process.pid,
  );
  return {
    ...journal,
    refuseAppends: (with_) => {
      refusal = with_;
    },
  };
}
