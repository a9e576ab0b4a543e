import type { FleetPlace } from '../../contracts/fleetMirror';
import type { MissionEvent } from '../../core/model/events';
import type { FoldedEntry, JournalEntry, NewEntry } from '../../core/model/journalEntry';

/**
 * The append-only, hash-chained journal of one workspace folder. Events are opaque JSON. `append` is durable when it
 * resolves. When it is refused (another writer's append, or a newer fence), the engine HALTs.
 */
export interface Journal<E> {
  append(stream: string, expectedSeq: number, fence: number, entries: readonly NewEntry<E>[]): Promise<AppendResult<E>>;
  /** Returns the event as the journal stores it, because a seal covers the stored form. Absent: unchanged. */
  readonly stored?: (event: E) => E;
  /** @param most reads at most so many entries of a long history; absent: all */
  read(stream: string, afterSeq?: number, most?: number): Promise<readonly JournalEntry<E>[]>;
  /** Pages of entries, reduced to what a fold needs, so that memory never holds a whole history. */
  pages(stream: string, options?: PageOptions): AsyncIterable<readonly FoldedEntry<E>[]>;
  /** Reads the stored file anew; null: it holds the unchanged chain up to this place. Never rejects. */
  prove(stream: string, place: ChainPlace): Promise<string | null>;
  streams(): Promise<readonly StreamInfo[]>;
  close(): Promise<void>;
}

export interface MissionSource extends Pick<Journal<MissionEvent>, 'pages' | 'read' | 'streams'> {
  /** Missions that hosts of a fleet run, by id; absent: all are of this workspace. */
  places?(): Promise<ReadonlyMap<string, SeenPlace>>;
}

export interface SeenPlace extends FleetPlace {
  /** A process of this workspace hears what its host says. */
  readonly watched: boolean;
}

/** All entries of a journal in the order in which they were appended, whatever their stream. Place 0 is before all. */
export interface JournalFeed<E> {
  /** At most `most`, and no more than a page; empty: no further entries yet. */
  after(place: number, most: number): Promise<readonly PlacedEntry<E>[]>;
  /** Null: the stream has no such entry. */
  placeOf(stream: string, seq: number): Promise<number | null>;
}

export interface PlacedEntry<E> {
  readonly place: number;
  readonly stream: string;
  readonly seq: number;
  readonly at: string;
  /** Null: what is stored cannot be read. */
  readonly entry: JournalEntry<E> | null;
}

/** A place in a chain; sequence number 0 is before its first entry. */
export interface ChainPlace {
  readonly seq: number;
  readonly hash: string;
}

export interface PageOptions {
  readonly afterSeq?: number;
  /** For reads from the first entry: rejects if an entry does not follow its predecessor or its hash is wrong. */
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
  /** This user's key sealed its last entry. One that came from elsewhere, or was changed, confirms and runs nothing. */
  readonly sealed: boolean;
}
