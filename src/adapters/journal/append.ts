import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { JournalEntry, NewEntry } from '../../core/model/journalEntry';
import { entryHash, entrySeal, firstPrevHash } from './hash';
import { valueAt } from '../../base/json';
import { errorWords } from '../../base/outcome';

/** One append in the form of the store; `event` is JSON text. */
export interface AppendRequest {
  readonly stream: string;
  readonly expectedSeq: number;
  readonly fence: number;
  readonly entries: readonly NewEntry<string>[];
}
/** What the store adds to each entry. */
export type Receipt = Pick<JournalEntry<string>, 'seq' | 'prev_hash' | 'hash'>;
export type AppendReceipt =
  | { readonly ok: true; readonly receipts: readonly Receipt[] }
  | { readonly ok: false; readonly code: 'STALE_SEQUENCE' | 'FENCED' | 'WRITE_FAILED'; readonly reason: string };

export function appendFailure(reason: string): AppendReceipt {
  return { ok: false, code: 'WRITE_FAILED', reason };
}

/** A database with its prepared statements. */
export interface Connection {
  readonly db: DatabaseSync;
  prepared(sql: string): StatementSync;
}

export function connectionTo(db: DatabaseSync): Connection {
  const statements = new Map<string, StatementSync>();
  return {
    db,
    prepared(sql) {
      let statement = statements.get(sql);
      if (statement === undefined) statements.set(sql, (statement = db.prepare(sql)));
      return statement;
    },
  };
}

/** Runs a transaction that may write from its first statement on. @throws what `work` or SQLite throws. */
export function inTransaction<T>(connection: Connection, work: () => T): T {
  const { db } = connection;
  connection.prepared('BEGIN IMMEDIATE').run();
  try {
    const result = work();
    connection.prepared('COMMIT').run();
    return result;
  } catch (error) {
    // Checks first, because SQLite has rolled back by itself in some cases (disk full).
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Writes appends; checks fence and sequence number in the writing transaction. */
export class JournalAppender {
  readonly #connection: Connection;
  /** The end of each stream after our last append, and the fence of that time; a guess, see `#appendAtOnce`. */
  readonly #ends = new Map<string, Position>();
  #fence = 0;

  /** @param key see `entrySeal` */
  constructor(
    connection: Connection,
    private readonly key: string | null,
  ) {
    this.#connection = connection;
  }

  append(requests: readonly AppendRequest[]): readonly AppendReceipt[] {
    const [first] = requests;
    if (first === undefined) return [];
    if (requests.length === 1) {
      const receipt = this.#appendAtOnce(first);
      if (receipt !== null) return [receipt];
    }
    try {
      const ends = new Map<string, Position>();
      const receipts = inTransaction(this.#connection, () =>
        requests.map((request) => this.#appendChecked(request, ends)),
      );
      for (const [stream, end] of ends) this.#ends.set(stream, end);
      return receipts;
    } catch (error) {
      // Retries one by one, because a bad request must not make the others fail.
      if (requests.length > 1) return requests.flatMap((request) => this.append([request]));
      return [appendFailure(`An event could not be recorded: ${errorWords(error)}.`)];
    }
  }

  /**
   * Appends the common case, one entry after our last one, in a single statement and transaction. The insert trigger
   * checks fence and sequence number, and no entry's hash can change. Null: use the checked way, which finds the fault.
   */
  #appendAtOnce({ stream, expectedSeq, fence, entries }: AppendRequest): AppendReceipt | null {
    const [entry] = entries;
    const end = this.#ends.get(stream);
    if (entry === undefined || entries.length > 1 || end?.seq !== expectedSeq || fence !== this.#fence) return null;
    try {
      const receipt = this.#insert(stream, fence, end, entry);
      this.#ends.set(stream, receipt);
      return { ok: true, receipts: [receipt] };
    } catch (error) {
      this.#ends.clear();
      return isTriggerRefusal(error) ? null : appendFailure(`An event could not be recorded: ${errorWords(error)}.`);
    }
  }

  #appendChecked({ stream, expectedSeq, fence, entries }: AppendRequest, ends: Map<string, Position>): AppendReceipt {
    const now = this.#connection.prepared(positionSql).get(stream) as unknown as PositionRow;
    this.#fence = now.fence ?? 0;
    if (fence !== now.fence) {
      const reason = `Another process runs the missions now: fencing number ${String(fence)} is not the current one, ${String(now.fence ?? 'none')}.`;
      return { ok: false, code: 'FENCED', reason };
    }
    let end: Position = { seq: now.seq ?? 0, hash: now.hash ?? firstPrevHash };
    if (end.seq !== expectedSeq) {
      const reason = `The journal of ${stream} is at event ${String(end.seq)}, not at ${String(expectedSeq)}: another process wrote it.`;
      return { ok: false, code: 'STALE_SEQUENCE', reason };
    }
    const receipts: Receipt[] = [];
    for (const entry of entries) {
      const receipt = this.#insert(stream, fence, end, entry);
      receipts.push(receipt);
      end = receipt;
    }
    ends.set(stream, end);
    return { ok: true, receipts };
  }

  #insert(stream: string, fence: number, end: Position, entry: AppendRequest['entries'][number]): Receipt {
    const { run_id, at, actor, event } = entry;
    const { kind: actor_kind, name: actor_name } = actor;
    const seq = end.seq + 1;
    const prev_hash = end.hash;
    const hash = entryHash({ stream, seq, run_id, at, actor_kind, actor_name, fence, prev_hash, event });
    this.#connection
      .prepared(insertSql)
      .run(stream, seq, run_id, at, actor_kind, actor_name, fence, prev_hash, hash, entrySeal(this.key, hash), event);
    return { seq, prev_hash, hash };
  }
}

type Position = Pick<Receipt, 'seq' | 'hash'>;
/** Null: no owner yet, no entry yet. */
interface PositionRow {
  readonly fence: number | null;
  readonly seq: number | null;
  readonly hash: string | null;
}

const positionSql = `SELECT f.fence AS fence, e.seq AS seq, e.hash AS hash FROM (SELECT max(fence) AS fence FROM fences) AS f
  LEFT JOIN (SELECT seq, hash FROM entries WHERE stream = ? ORDER BY seq DESC LIMIT 1) AS e`;
const insertSql = `INSERT INTO entries (stream, seq, run_id, at, actor_kind, actor_name, fence, prev_hash, hash, seal, event)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** SQLITE_CONSTRAINT_TRIGGER means that one of our triggers refused. */
function isTriggerRefusal(error: unknown): boolean {
  return valueAt(error, 'errcode') === 1811;
}
