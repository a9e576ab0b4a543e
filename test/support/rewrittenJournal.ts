import { DatabaseSync } from 'node:sqlite';
import { entryHash, firstPrevHash, type StoredEntry } from '../../src/adapters/journal/hash';

type Row = StoredEntry & { readonly id: number; readonly seal: string };

/**
 * Changes the events of a stream as a person does who has the file and no key. The hashes are made anew, so that the chain
 * holds; the seals stay as they were.
 */
export function rewriteJournal(file: string, stream: string, edit: (event: string, seq: number) => string): void {
  const db = new DatabaseSync(file);
  try {
    const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
    for (const { name } of triggers) db.exec(`DROP TRIGGER ${String(name)}`);
    const rows = db.prepare('SELECT * FROM entries WHERE stream = ? ORDER BY seq').all(stream) as unknown as Row[];
    let prev_hash = firstPrevHash;
    for (const row of rows) {
      const entry = { ...row, prev_hash, event: edit(row.event, row.seq) };
      const hash = entryHash(entry);
      db.prepare('UPDATE entries SET event = ?, prev_hash = ?, hash = ? WHERE id = ?').run(
        ...([entry.event, prev_hash, hash, row.id] as const),
      );
      prev_hash = hash;
    }
    for (const { sql } of triggers) db.exec(String(sql));
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}
