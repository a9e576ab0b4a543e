import type { FoldedEntry, JournalEntry, NewEntry } from '../../core/model/journalEntry';

/**
 * The append-only, hash-chained journal of one workspace folder. Events are opaque JSON. `append` is durable when it
 * resolves. When it is refused (another writer's append, or a newer fence), the engine HALTs.
 */
export interface Journal<E> {
  append(stream: string, expectedSeq: number, fence: number, entries: readonly NewEntry<E>[]): Promise<AppendResult<E>>;
  /** The event as it stores it, so that a seal is made of what is stored. Absent: unchanged. */
  readonly stored?: (event: E) => E;
  read(stream: string, afterSeq?: number): Promise<readonly JournalEntry<E>[]>;
  /** Pages of what a fold needs of each entry, so that no whole history is in memory. */
  pages(stream: string, options?: PageOptions): AsyncIterable<readonly FoldedEntry<E>[]>;
  /** Reads the stored file anew: null when it holds the unchanged chain up to this place. Never rejects. */
  prove(stream: string, place: ChainPlace): Promise<string | null>;
  streams(): Promise<readonly StreamInfo[]>;
  close(): Promise<void>;
}

/** A place in a chain; sequence number 0 is before its first entry. */
export interface ChainPlace {
  readonly seq: number;
  readonly hash: string;
}

export interface PageOptions {
  readonly afterSeq?: number;
  /** For reads from the first entry: rejects when an entry does not follow the one before or its hash is wrong. */
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
