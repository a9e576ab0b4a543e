import { statSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Actor, ActorKind } from '../contracts/vocabulary/actors';
import type { Outcome, StreamInfo } from '../engine/ports';
import type { ChainReport, StoredEntry } from './journalHash';
import { entryHash, exportLine, firstPrevHash, verifyChain } from './journalHash';
import { done, errorMessage, refused } from './outcome';
import { storeRefusal } from './sqlite';

/** `read` works beside an owner, creates nothing and takes no lock that could hinder it. */
export type StoreAccess = 'write' | 'read';

/** One append as it reaches the store; `event` is the text `JSON.stringify` made of it. */
export interface AppendRequest {
  readonly stream: string;
  readonly expectedSeq: number;
  readonly fence: number;
  readonly entries: readonly {
    readonly run_id: string;
    readonly at: string;
    readonly actor: Actor;
    readonly event: string;
  }[];
}
/** What the store adds to each entry. */
export interface Receipt {
  readonly seq: number;
  readonly prev_hash: string;
  readonly hash: string;
}
export type AppendReceipt =
  | { readonly ok: true; readonly receipts: readonly Receipt[] }
  | { readonly ok: false; readonly code: 'STALE_SEQUENCE' | 'FENCED' | 'WRITE_FAILED'; readonly reason: string };

/** Who took the ownership last, and when; it may have ended since. */
export interface Ownership {
  readonly fence: number;
  readonly at: string;
  readonly pid: number;
  readonly actor: Actor;
}

/**
 * The journal's database, used on one thread. Calls take as long as the disk takes.
 *
 * Durability: WAL with synchronous=FULL, on macOS with fullfsync; a receipt is given after the commit.
 */
export interface JournalStore {
  /** Commits all requests in one transaction; one that is refused leaves the others alone. Never throws. */
  append(requests: readonly AppendRequest[]): readonly AppendReceipt[];
  /** @throws SQLite's error when the file cannot be read. */
  read(stream: string, afterSeq: number): readonly StoredEntry[];
  streams(): readonly StreamInfo[];
  verify(stream: string): ChainReport;
  /** Lines without line ends, see `exportLine`. */
  exportLines(stream: string): readonly string[];
  /** Takes the ownership away from whoever had it: the next fencing number. Only for the holder of the lease. */
  raiseFence(owner: Omit<Ownership, 'fence'>): Outcome<Ownership>;
  owner(): Ownership | null;
  close(): void;
}

/** The store over an open database whose schema is known to be ours. */
export class SqliteJournalStore implements JournalStore {
  readonly #db: DatabaseSync;
  readonly #file: string;
  readonly #access: StoreAccess;
  readonly #identity: string;
  readonly #statements = new Map<string, StatementSync>();

  constructor(
    db: DatabaseSync,
    file: string,
    access: StoreAccess,
    /** True: the file as it stood when it was opened; later appends do not show. */
    readonly immutable = false,
  ) {
    this.#db = db;
    this.#file = file;
    this.#access = access;
    this.#identity = fileIdentity(file);
  }

  append(requests: readonly AppendRequest[]): readonly AppendReceipt[] {
    const obstacle = this.#obstacle();
    if (obstacle !== null) return requests.map(() => failure(obstacle));
    try {
      return this.#inTransaction(() => requests.map((request) => this.#appendOne(request)));
    } catch (error) {
      // One bad request must not take its neighbours with it.
      if (requests.length > 1) return requests.flatMap((request) => this.append([request]));
      return [failure(errorMessage(error))];
    }
  }

  read(stream: string, afterSeq: number): readonly StoredEntry[] {
    return this.#prepared(`${selectEntries} WHERE stream = ? AND seq > ? ORDER BY seq`)
      .all(stream, afterSeq)
      .map(toStoredEntry);
  }

  streams(): readonly StreamInfo[] {
    const sql = `SELECT last.stream AS stream, last.seq AS last_seq, first.at AS first_at, last.at AS last_at
      FROM (SELECT stream AS name, max(seq) AS last_seq, min(seq) AS first_seq FROM entries GROUP BY stream)
      JOIN entries AS last ON last.stream = name AND last.seq = last_seq
      JOIN entries AS first ON first.stream = name AND first.seq = first_seq
      ORDER BY first.id`;
    return this.#prepared(sql).all() as unknown as StreamInfo[];
  }

  verify(stream: string): ChainReport {
    const rows = this.#prepared(`${selectEntries} WHERE stream = ? ORDER BY seq`).iterate(stream);
    return verifyChain(mapEntries(rows));
  }

  exportLines(stream: string): readonly string[] {
    return this.read(stream, 0).map(exportLine);
  }

  raiseFence(owner: Omit<Ownership, 'fence'>): Outcome<Ownership> {
    const obstacle = this.#obstacle();
    if (obstacle !== null) return refused('STATE_STORE_UNWRITABLE', `${this.#file}: ${obstacle}`);
    try {
      return this.#inTransaction(() => {
        const fence = (this.owner()?.fence ?? 0) + 1;
        this.#prepared('INSERT INTO fences (fence, at, pid, actor_kind, actor_name) VALUES (?, ?, ?, ?, ?)').run(
          fence,
          owner.at,
          owner.pid,
          owner.actor.kind,
          owner.actor.name,
        );
        return done({ ...owner, fence });
      });
    } catch (error) {
      return storeRefusal(this.#file, error);
    }
  }

  owner(): Ownership | null {
    const row = this.#prepared(
      'SELECT fence, at, pid, actor_kind, actor_name FROM fences ORDER BY fence DESC LIMIT 1',
    ).get();
    if (row === undefined) return null;
    const { fence, at, pid, actor_kind: kind, actor_name: name } = row as unknown as OwnershipRow;
    return { fence, at, pid, actor: { kind, name } };
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }

  #appendOne(request: AppendRequest): AppendReceipt {
    const { stream, expectedSeq, fence } = request;
    const now = this.#prepared(positionSql).get(stream) as Record<string, unknown> | undefined;
    const current = Number(now?.['fence'] ?? 0);
    if (fence !== current || fence < 1) {
      return {
        ok: false,
        code: 'FENCED',
        reason: `fencing number ${String(fence)} was replaced by ${String(current)}`,
      };
    }
    let seq = Number(now?.['seq'] ?? 0);
    if (seq !== expectedSeq) {
      return {
        ok: false,
        code: 'STALE_SEQUENCE',
        reason: `${stream} is at ${String(seq)}, not at ${String(expectedSeq)}`,
      };
    }
    let hash = typeof now?.['hash'] === 'string' ? now['hash'] : firstPrevHash;
    const receipts: Receipt[] = [];
    for (const { run_id, at, actor, event } of request.entries) {
      const prevHash = hash;
      seq += 1;
      const { kind: actor_kind, name: actor_name } = actor;
      hash = entryHash({ stream, seq, run_id, at, actor_kind, actor_name, fence, prev_hash: prevHash, event });
      this.#prepared(insertSql).run(stream, seq, run_id, at, actor_kind, actor_name, fence, prevHash, hash, event);
      receipts.push({ seq, prev_hash: prevHash, hash });
    }
    return { ok: true, receipts };
  }

  /** Why nothing can be written now, or null. */
  #obstacle(): string | null {
    if (!this.#db.isOpen) return 'the journal is closed';
    if (this.#access === 'read') return 'the journal was opened for reading';
    // A deleted file would go on taking entries that nobody can ever read.
    if (fileIdentity(this.#file) !== this.#identity) return 'the file was removed or replaced';
    return null;
  }

  #inTransaction<T>(work: () => T): T {
    this.#prepared('BEGIN IMMEDIATE').run();
    try {
      const result = work();
      this.#prepared('COMMIT').run();
      return result;
    } catch (error) {
      // SQLite may have rolled back by itself (disk full).
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.#db.prepare(sql)));
    return statement;
  }
}

const selectEntries =
  'SELECT stream, seq, run_id, at, actor_kind, actor_name, fence, prev_hash, hash, event FROM entries';
const positionSql = `SELECT f.fence AS fence, e.seq AS seq, e.hash AS hash FROM (SELECT max(fence) AS fence FROM fences) AS f
  LEFT JOIN (SELECT seq, hash FROM entries WHERE stream = ? ORDER BY seq DESC LIMIT 1) AS e`;
const insertSql = `INSERT INTO entries (stream, seq, run_id, at, actor_kind, actor_name, fence, prev_hash, hash, event)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

interface OwnershipRow {
  readonly fence: number;
  readonly at: string;
  readonly pid: number;
  readonly actor_kind: ActorKind;
  readonly actor_name: string;
}

function failure(reason: string): AppendReceipt {
  return { ok: false, code: 'WRITE_FAILED', reason };
}

function* mapEntries(rows: Iterable<Record<string, unknown>>): Iterable<StoredEntry> {
  for (const row of rows) yield toStoredEntry(row);
}

/** The table is STRICT and its schema was compared: the types hold. */
function toStoredEntry(row: Record<string, unknown>): StoredEntry {
  return row as unknown as StoredEntry;
}

/** Which file a name stands for now; `none` when there is none. */
export function fileIdentity(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? 'none' : `${String(stats.dev)}:${String(stats.ino)}`;
}
