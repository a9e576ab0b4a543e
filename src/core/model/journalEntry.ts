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

export type FoldedEntry<E> = Pick<JournalEntry<E>, 'seq' | 'run_id' | 'at' | 'event'> & {
  /** In a fold of many entries only the last needs one. */
  readonly hash?: string;
};

/** An entry to append; the journal fills in the rest. */
export type NewEntry<E> = Pick<JournalEntry<E>, 'run_id' | 'at' | 'actor' | 'event'>;
