import type { FoldedEntry, JournalEntry, NewEntry } from '../../core/model/journalEntry';

/**
 * The append-only, hash-chained journal of one workspace folder. Events are opaque JSON to it.
 * `append` is durable when it resolves. It refuses with CONCURRENCY (a foreign append or a newer
 * fence): the engine then HALTs.
 */
export interface Journal<E> {
  append(stream: string, expectedSeq: number, fence: number, entries: readonly NewEntry<E>[]): Promise<AppendResult<E>>;
  read(stream: string, afterSeq?: number): Promise<readonly JournalEntry<E>[]>;
  /** What a fold needs of them, some entries at a time: a history of any length is never in memory whole. */
  pages(stream: string, options?: PageOptions): AsyncIterable<readonly FoldedEntry<E>[]>;
  /**
   * Reads the stored file anew, with nothing that is remembered: null when it holds the stream up to this place of the
   * chain and nothing before it was changed, else what was found. Never rejects.
   */
  prove(stream: string, place: ChainPlace): Promise<string | null>;
  streams(): Promise<readonly StreamInfo[]>;
  close(): Promise<void>;
}

/** Where a chain stands; sequence number 0: before its first entry. */
export interface ChainPlace {
  readonly seq: number;
  readonly hash: string;
}

export interface PageOptions {
  readonly afterSeq?: number;
  /** Only from the first entry on: rejects as soon as an entry does not follow the one before, or is not what its hash says. */
  readonly verified?: boolean;
}

export type AppendResult<E> =
  | { readonly ok: true; readonly entries: readonly JournalEntry<E>[] }
  | { readonly ok: false; readonly code: 'STALE_SEQUENCE' | 'FENCED' | 'WRITE_FAILED'; readonly reason: string };

export interface StreamInfo {
  readonly stream: string;
  readonly last_seq: number;
  readonly first_at: string;
  readonly last_at: string;
}
