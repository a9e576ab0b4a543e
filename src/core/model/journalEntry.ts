import type { Actor } from '../../contracts/vocabulary/actors';

/** One event of one stream, as stored. A stream is a mission id, or `approvals` for plan approvals. */
export interface JournalEntry<E> {
  readonly stream: string;
  /** 1, 2, 3 ... within the stream. */
  readonly seq: number;
  readonly run_id: string;
  readonly at: string;
  readonly actor: Actor;
  /** Fencing number of the owner that appended it. */
  readonly fence: number;
  readonly event: E;
  /** Upper-case SHA-256 of the previous entry, 64 zeros for the first. */
  readonly prev_hash: string;
  readonly hash: string;
}

/** What of an entry makes a state. */
export type FoldedEntry<E> = Pick<JournalEntry<E>, 'seq' | 'run_id' | 'at' | 'event'> & {
  /** Of many, the last one's is enough. */
  readonly hash?: string;
};

/** What the engine hands to the journal; the rest is filled in by it. */
export interface NewEntry<E> {
  readonly run_id: string;
  readonly at: string;
  readonly actor: Actor;
  readonly event: E;
}
