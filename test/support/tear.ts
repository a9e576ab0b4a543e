import { DatabaseSync } from 'node:sqlite';

/** Changes the history of a journal, which its triggers forbid. */
export function tear(file: string, sql: string, ...values: readonly string[]): void {
  const db = new DatabaseSync(file);
  const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${String(name)}`);
  db.prepare(sql).run(...values);
  for (const { sql: create } of triggers) db.exec(String(create));
  db.close();
}
