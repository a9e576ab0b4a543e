import type { DatabaseSync } from 'node:sqlite';

/** The `user_version` of a store that these statements made. */
const version = 1;

/**
 * The triggers also hold for `INSERT OR REPLACE`, which deletes without firing delete triggers, and for other programs:
 * history cannot change unless a trigger is removed first, and a store with a missing or altered trigger is refused.
 */
const statements = `CREATE TABLE entries (
     id INTEGER PRIMARY KEY,
     stream TEXT NOT NULL,
     seq INTEGER NOT NULL,
     run_id TEXT NOT NULL,
     at TEXT NOT NULL,
     actor_kind TEXT NOT NULL,
     actor_name TEXT NOT NULL,
     fence INTEGER NOT NULL,
     prev_hash TEXT NOT NULL,
     hash TEXT NOT NULL,
     seal TEXT NOT NULL,
     event TEXT NOT NULL,
     UNIQUE (stream, seq)
   ) STRICT;
   CREATE TABLE fences (
     fence INTEGER PRIMARY KEY,
     at TEXT NOT NULL,
     pid INTEGER NOT NULL,
     actor_kind TEXT NOT NULL,
     actor_name TEXT NOT NULL
   ) STRICT;
   CREATE TRIGGER entries_insert BEFORE INSERT ON entries
     WHEN NEW.seq <> 1 + coalesce((SELECT max(seq) FROM entries WHERE stream = NEW.stream), 0)
       OR EXISTS (SELECT 1 FROM entries WHERE id = NEW.id)
       OR NEW.fence IS NOT (SELECT max(fence) FROM fences)
     BEGIN SELECT RAISE(ABORT, 'journal: only the next entry of the current owner can be added'); END;
   CREATE TRIGGER entries_update BEFORE UPDATE ON entries
     BEGIN SELECT RAISE(ABORT, 'journal: entries cannot be changed'); END;
   CREATE TRIGGER entries_delete BEFORE DELETE ON entries
     BEGIN SELECT RAISE(ABORT, 'journal: entries cannot be deleted'); END;
   CREATE TRIGGER fences_insert BEFORE INSERT ON fences
     WHEN NEW.fence <> 1 + coalesce((SELECT max(fence) FROM fences), 0)
     BEGIN SELECT RAISE(ABORT, 'journal: the fencing number rises by one'); END;
   CREATE TRIGGER fences_update BEFORE UPDATE ON fences
     BEGIN SELECT RAISE(ABORT, 'journal: fencing numbers cannot be changed'); END;
   CREATE TRIGGER fences_delete BEFORE DELETE ON fences
     BEGIN SELECT RAISE(ABORT, 'journal: fencing numbers cannot be deleted'); END;`;

/** The statements of our tables, as SQLite stores them. A database with them is ours, also without its mark. */
export const tableStatements: readonly string[] = statements.match(/CREATE TABLE \w+ \([^;]*\) STRICT/g) ?? [];

/** Marks the file as ours ("MCJ1"), so that another program's database is not taken for a journal. */
export const applicationId = 0x4d434a31;

export type SchemaState = 'empty' | 'current' | 'newer' | 'altered' | 'unmarked' | 'foreign';

/**
 * `foreign` is another program's database, `altered` ours with another schema. `unmarked` is ours without its mark,
 * which a dump leaves out.
 */
export function schemaState(db: DatabaseSync): SchemaState {
  if (db.isTransaction) return judgeSchema(db);
  // Reads in one transaction, because another process may be creating the store right now.
  db.exec('BEGIN');
  try {
    return judgeSchema(db);
  } finally {
    rollBack(db);
  }
}

/** Rolls back; on a full disk SQLite has done it already. */
function rollBack(db: DatabaseSync): void {
  if (db.isTransaction) db.exec('ROLLBACK');
}

function judgeSchema(db: DatabaseSync): SchemaState {
  const found = pragma(db, 'user_version');
  const application = pragma(db, 'application_id');
  if (application === 0 && found === 0 && schemaOf(db) === '') return 'empty';
  if (application !== applicationId) return judgeUnmarked(db);
  if (found > version) return 'newer';
  return found === version && hasOurSchema(db) ? 'current' : 'altered';
}

function judgeUnmarked(db: DatabaseSync): SchemaState {
  if (hasOurSchema(db)) return 'unmarked';
  const rows = db.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table'").all();
  const made = rows.map(({ sql }) => sql);
  return tableStatements.every((statement) => made.includes(statement)) ? 'altered' : 'foreign';
}

/** Writes the mark of a store; call inside a transaction that writes. */
export function writeMark(db: DatabaseSync): void {
  db.exec(`PRAGMA application_id = ${String(applicationId)}; PRAGMA user_version = ${String(version)}`);
}

/** Makes the tables of an empty store; call inside a transaction that writes. */
export function createTables(db: DatabaseSync): void {
  db.exec(statements);
  writeMark(db);
}

function pragma(db: DatabaseSync, name: 'user_version' | 'application_id'): number {
  const row = db.prepare(`PRAGMA ${name}`).get();
  return Number(row?.[name]);
}

function schemaOf(db: DatabaseSync): string {
  return JSON.stringify(
    db
      .prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name')
      .all()
      .map((row) => Object.values(row)),
  ).replace(/^\[\]$/, '');
}

/** Compares in SQLite's own words, with a database in memory that the same statements made. */
function hasOurSchema(db: DatabaseSync): boolean {
  const Database = db.constructor as new (location: string) => DatabaseSync;
  const model = new Database(':memory:');
  try {
    model.exec(statements);
    return schemaOf(db) === schemaOf(model);
  } finally {
    model.close();
  }
}
