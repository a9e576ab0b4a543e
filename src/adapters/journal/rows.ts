import type { DatabaseSync } from 'node:sqlite';
import type { ActorKind } from '../../contracts/vocabulary/actors';
import type { ChainPlace } from '../../engine/ports/journal';
import { chainFault, firstPrevHash, hashFault, type StoredEntry } from './hash';

/**
 * One entry of a known stream, in the order of `columns`. An array, because SQLite makes and threads copy arrays
 * fastest.
 */
export type EntryRow = readonly [
  seq: number,
  run_id: string,
  at: string,
  actor_kind: ActorKind,
  actor_name: string,
  fence: number,
  prev_hash: string,
  hash: string,
  event: string,
];

/** The columns of a page that a fold needs, because every column costs time. */
export interface FoldedPage {
  readonly rows: readonly (readonly [seq: number, at: string, event: string])[];
  /** The run of the last entry; empty without entries. */
  readonly run_id: string;
  readonly hash: string;
}

const columns = 'seq, run_id, at, actor_kind, actor_name, fence, prev_hash, hash, event';
/** Entries of a page: enough to outweigh the call, few enough that parsing does not block a window. */
export const pageRows = 500;

export function toStoredEntry(stream: string, row: EntryRow): StoredEntry {
  const [seq, run_id, at, actor_kind, actor_name, fence, prev_hash, hash, event] = row;
  return { stream, seq, run_id, at, actor_kind, actor_name, fence, prev_hash, hash, event };
}

export function toFolded(rows: readonly EntryRow[]): FoldedPage {
  const [, run_id = '', , , , , , hash = ''] = rows.at(-1) ?? [];
  return { rows: rows.map(([seq, , at, , , , , , event]) => [seq, at, event]), run_id, hash };
}

/**
 * Reads at most `pageRows` rows after a sequence number. The types hold, because the schema was compared and is STRICT.
 */
export function pageReader(db: DatabaseSync): PageReader<EntryRow> {
  return readerOf(db, columns);
}

export function foldedPageReader(db: DatabaseSync): (stream: string, afterSeq: number) => FoldedPage {
  const read: PageReader<FoldedPage['rows'][number]> = readerOf(db, 'seq, at, event');
  const sealed = db.prepare('SELECT run_id, hash FROM entries WHERE stream = ? AND seq = ?');
  return (stream, afterSeq) => {
    const rows = read(stream, afterSeq);
    const last = sealed.get(stream, rows.at(-1)?.[0] ?? 0) as Pick<FoldedPage, 'run_id' | 'hash'> | undefined;
    return { rows, run_id: last?.run_id ?? '', hash: last?.hash ?? '' };
  };
}

/** An entry among those of all streams: its place, its stream, then the columns of `EntryRow`. */
export type PlacedRow = readonly [place: number, stream: string, ...row: EntryRow];

/**
 * Reads entries of all streams in the order in which they were appended. That is the order of ids, because ids only
 * rise and no entry is removed.
 */
export function placedReader(db: DatabaseSync): (place: number, most: number) => readonly PlacedRow[] {
  const statement = db.prepare(`SELECT id, stream, ${columns} FROM entries WHERE id > ? ORDER BY id LIMIT ?`);
  statement.setReturnArrays(true);
  return (place, most) =>
    statement.all(place, Math.max(0, Math.min(most, pageRows))) as unknown as readonly PlacedRow[];
}

type PageReader<Row> = (stream: string, afterSeq: number) => readonly Row[];

function readerOf<Row>(db: DatabaseSync, wanted: string): PageReader<Row> {
  const statement = db.prepare(
    `SELECT ${wanted} FROM entries WHERE stream = ? AND seq > ? ORDER BY seq LIMIT ${String(pageRows)}`,
  );
  statement.setReturnArrays(true);
  return (stream, afterSeq) => statement.all(stream, afterSeq) as unknown as readonly Row[];
}

/** Every page of a stream, in order. */
export function* allPages(page: (afterSeq: number) => readonly EntryRow[]): Iterable<readonly EntryRow[]> {
  for (let after = 0; ;) {
    const rows = page(after);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = last[0];
  }
}

export const chainStart: ChainPlace = { seq: 0, hash: firstPrevHash };

/**
 * Returns the fault of rows that should follow a place of the chain; null: none. Checks hashes only; `verifyChain` also
 * checks that events cannot be read in two ways.
 */
export function rowsFault(
  stream: string,
  rows: readonly EntryRow[],
  after: ChainPlace,
): { readonly seq: number; readonly what: string } | null {
  let previous: Pick<StoredEntry, 'stream' | 'seq' | 'hash' | 'fence'> | null =
    after.seq === 0 ? null : { stream, ...after, fence: 1 };
  for (const row of rows) {
    const entry = toStoredEntry(stream, row);
    const what = chainFault(entry, previous) ?? hashFault(entry);
    if (what !== null) return { seq: (previous?.seq ?? 0) + 1, what };
    previous = entry;
  }
  return null;
}
