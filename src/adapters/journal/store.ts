import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Actor, ActorKind } from '../../contracts/vocabulary/actors';
import type { StreamInfo, ChainPlace } from '../../engine/ports/journal';
import {
  JournalAppender,
  appendFailure,
  connectionTo,
  inTransaction,
  type AppendReceipt,
  type AppendRequest,
  type Connection,
} from './append';
import {
  entrySeal,
  exportLine,
  verifyChain,
  type ChainReport,
  type StoredEntry,
  chainFault,
  firstPrevHash,
  hashFault,
} from './hash';
import { done, errorWords, refused, type Outcome } from '../../base/outcome';
import { storeRefusal } from './sqlite';

/** `read` works beside an owner: it creates nothing and takes no lock that hinders one. */
export type StoreAccess = 'write' | 'read';

/** The last owner, and when it became one; it may have ended since. */
export interface Ownership {
  readonly fence: number;
  readonly at: string;
  readonly pid: number;
  readonly actor: Actor;
}

/**
 * The journal's database, open and with its schema checked, used on one thread. Calls block for the disk.
 *
 * Durability: WAL with synchronous=FULL, on macOS with fullfsync; receipts are given after the commit.
 */
export class JournalStore {
  readonly #identity: string;
  readonly #connection: Connection;
  readonly #appender: JournalAppender;
  /** @throws SQLite's error when the file cannot be read. */
  readonly page: ReturnType<typeof pageReader>;
  readonly foldedPage: ReturnType<typeof foldedPageReader>;
  /** Entries of all streams after a place, at most `most`, in the order in which they were appended. */
  readonly after: ReturnType<typeof placedReader>;
  readonly #sealed = new Map<string, Sealed & { readonly sealed: boolean }>();

  constructor(
    private readonly db: DatabaseSync,
    private readonly file: string,
    private readonly access: StoreAccess,
    /** The file is read as it was when opened; later appends do not show. */
    readonly immutable = false,
    /** See `entrySeal`. */
    private readonly key: string | null = null,
  ) {
    this.#identity = fileIdentity(file);
    this.#connection = connectionTo(db);
    this.#appender = new JournalAppender(this.#connection, key);
    this.page = pageReader(db);
    this.foldedPage = foldedPageReader(db);
    this.after = placedReader(db);
  }

  /** Commits all requests in one transaction; a refused one does not affect the others. Never throws. */
  append(requests: readonly AppendRequest[]): readonly AppendReceipt[] {
    const obstacle = this.#obstacle();
    if (obstacle !== null) return requests.map(() => appendFailure(`An event could not be recorded: ${obstacle}.`));
    return this.#appender.append(requests);
  }

  streams(): readonly StreamInfo[] {
    // Steps from name to name in the index, because grouping would read every entry.
    const sql = `WITH RECURSIVE names (name) AS (
        SELECT min(stream) FROM entries
        UNION ALL SELECT (SELECT min(stream) FROM entries WHERE stream > name) FROM names WHERE name IS NOT NULL)
      SELECT last.stream AS stream, last.seq AS last_seq, first.at AS first_at, last.at AS last_at,
        last.hash AS hash, last.seal AS seal
      FROM names
      JOIN entries AS last ON last.stream = name AND last.seq = (SELECT max(seq) FROM entries WHERE stream = name)
      JOIN entries AS first ON first.stream = name AND first.seq = (SELECT min(seq) FROM entries WHERE stream = name)
      ORDER BY first.id`;
    const rows = this.#connection.prepared(sql).all() as unknown as readonly (Omit<StreamInfo, 'sealed'> & Sealed)[];
    return rows.map(({ hash, seal, ...info }) => ({ ...info, sealed: this.#isSealed(info.stream, { hash, seal }) }));
  }

  /** Null: there is no such entry. */
  placeOf(stream: string, seq: number): number | null {
    const row = this.#connection.prepared('SELECT id FROM entries WHERE stream = ? AND seq = ?').get(stream, seq);
    return row === undefined ? null : Number(row['id']);
  }

  verify(stream: string): ChainReport {
    return verifyChain(this.#entries(stream));
  }

  /**
   * Moves the write-ahead log into the file. So an emptied or cut log shows now, not at the next
   * start. Null: done; else the reason. Never throws.
   */
  settle(): string | null {
    try {
      const obstacle = this.#obstacle();
      if (obstacle === null) this.db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
      return obstacle;
    } catch (error) {
      return `its write-ahead log cannot be brought into the file (${errorWords(error)})`;
    }
  }

  /** Lines without line ends, see `exportLine`. */
  exportLines(stream: string): readonly string[] {
    return [...this.#entries(stream)].map(exportLine);
  }

  /** Takes the next fencing number, which ends the former owner's right to append. Only for the holder of the lease. */
  raiseFence(owner: Omit<Ownership, 'fence'>): Outcome<Ownership> {
    const obstacle = this.#obstacle();
    if (obstacle !== null)
      return refused('STATE_STORE_UNWRITABLE', `${this.file} cannot be used: ${obstacle}.`, 'mission doctor');
    try {
      return inTransaction(this.#connection, () => {
        const fence = (this.owner()?.fence ?? 0) + 1;
        this.#connection
          .prepared('INSERT INTO fences (fence, at, pid, actor_kind, actor_name) VALUES (?, ?, ?, ?, ?)')
          .run(fence, owner.at, owner.pid, owner.actor.kind, owner.actor.name);
        return done({ ...owner, fence });
      });
    } catch (error) {
      return storeRefusal(this.file, error);
    }
  }

  owner(): Ownership | null {
    const row = this.#connection
      .prepared('SELECT fence, at, pid, actor_kind, actor_name FROM fences ORDER BY fence DESC LIMIT 1')
      .get();
    if (row === undefined) return null;
    const { fence, at, pid, actor_kind: kind, actor_name: name } = row as unknown as OwnershipRow;
    return { fence, at, pid, actor: { kind, name } };
  }

  close(): void {
    if (this.db.isOpen) this.db.close();
  }

  /** Says why nothing can be written now; null: it can. */
  #obstacle(): string | null {
    if (!this.db.isOpen) return 'the journal is closed';
    if (this.access === 'read') return 'the journal was opened for reading';
    try {
      // Refuses, because a deleted file would still take entries that cannot be read later.
      return fileIdentity(this.file) === this.#identity
        ? null
        : `the file ${this.file} was removed or replaced: put back the one that was there, and resume`;
    } catch (error) {
      return `the file ${this.file} cannot be reached (${errorWords(error)}): make its folder readable and writable for your user, and resume`;
    }
  }

  /** Remembers the last answer of each stream, because views ask at each look. */
  #isSealed(stream: string, last: Sealed): boolean {
    const known = this.#sealed.get(stream);
    if (known?.hash === last.hash && known.seal === last.seal) return known.sealed;
    const sealed = this.key !== null && entrySeal(this.key, last.hash) === last.seal;
    this.#sealed.set(stream, { ...last, sealed });
    return sealed;
  }

  *#entries(stream: string): Iterable<StoredEntry> {
    for (const rows of allPages((after) => this.page(stream, after)))
      for (const row of rows) yield toStoredEntry(stream, row);
  }
}

/** The last entry of a stream. */
interface Sealed {
  readonly hash: string;
  readonly seal: string;
}

interface OwnershipRow {
  readonly fence: number;
  readonly at: string;
  readonly pid: number;
  readonly actor_kind: ActorKind;
  readonly actor_name: string;
}

/** The file that a name leads to now; `none` when it leads to no file. */
export function fileIdentity(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? 'none' : `${String(stats.dev)}:${String(stats.ino)}`;
}

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

function toStoredEntry(stream: string, row: EntryRow): StoredEntry {
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
function pageReader(db: DatabaseSync): PageReader<EntryRow> {
  return readerOf(db, columns);
}

function foldedPageReader(db: DatabaseSync): (stream: string, afterSeq: number) => FoldedPage {
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
function placedReader(db: DatabaseSync): (place: number, most: number) => readonly PlacedRow[] {
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
