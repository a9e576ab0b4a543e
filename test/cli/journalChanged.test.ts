import assert from 'node:assert/strict';
import { CliBed, type Printed } from './cliBed';

/** A cut file loses nothing while the log has it all. */
const intoFile = `db.exec('PRAGMA wal_checkpoint(TRUNCATE)');`;
const cut =
  /cannot be brought into the file|ends with entry|cannot be read|not a journal|malformed|no such table|disk I\/O|is empty|does not begin/;

/** What a worker does to the journal of the owner that waits for it: a real process, through SQLite or around it. */
const attacks: readonly { readonly name: string; readonly script: string; readonly says: RegExp }[] = [
  {
    name: 'an old entry is edited, its triggers taken away and put back',
    script: `
      const names = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
      for (const { name } of names) db.exec('DROP TRIGGER ' + name);
      db.exec("UPDATE entries SET event = replace(event, 'Task T1', 'Task TX') WHERE seq = 1");
      for (const { sql } of names) db.exec(sql);`,
    says: /entry 1 was changed \(hash\)/,
  },
  {
    name: 'triggers are dropped and nothing else',
    script: `db.exec('DROP TRIGGER entries_update');`,
    says: /tables and triggers are not those of a journal/,
  },
  {
    name: 'the whole history is written anew, with hashes that hold',
    script: `
      const rows = db.prepare('SELECT * FROM entries WHERE stream = ? ORDER BY seq').all(stream);
      for (const { name } of db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all()) dropped.push(db.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(name).sql), db.exec('DROP TRIGGER ' + name);
      let prev = '0'.repeat(64);
      for (const row of rows) {
        const event = row.event.replaceAll('Ada', 'Eve');
        const t = JSON.stringify;
        const text = '{"stream":' + t(row.stream) + ',"seq":' + row.seq + ',"run_id":' + t(row.run_id) + ',"at":' + t(row.at) + ',"actor":{"kind":' + t(row.actor_kind) + ',"name":' + t(row.actor_name) + '},"fence":' + row.fence + ',"event":' + event + ',"prev_hash":' + t(prev) + '}';
        const hash = crypto.createHash('sha256').update(text).digest('hex').toUpperCase();
        db.prepare('UPDATE entries SET event = ?, prev_hash = ?, hash = ? WHERE id = ?').run(event, prev, hash, row.id);
        prev = hash;
      }
      for (const sql of dropped) db.exec(sql);`,
    says: /entry \d+ was changed|history was replaced|last entry was replaced/,
  },
  {
    name: 'the database is cut to nothing',
    script: `${intoFile} fs.truncateSync(file, 0);`,
    says: /not a database|malformed|ends with entry|it holds nothing/,
  },
  { name: 'half of the database is cut off', script: `${intoFile} fs.truncateSync(file, 8192);`, says: cut },
  { name: 'the write-ahead log is emptied', script: `fs.truncateSync(file + '-wal', 0);`, says: cut },
  {
    name: 'another file takes its place',
    script: `
      db.exec("VACUUM INTO '" + file + ".new'");
      fs.renameSync(file + '.new', file);`,
    says: /removed or replaced/,
  },
];

describe('a journal that is changed under its owner', () => {
  for (const { name, script, says } of attacks) {
    it(`is no success: ${name}`, async () => {
      const bed = new CliBed();
      try {
        const plan = bed.plan('tampered', [
          {
            script: `
              import fs from 'node:fs';
              import crypto from 'node:crypto';
              import { DatabaseSync } from 'node:sqlite';
              const file = '.mission-control/state.db';
              const db = new DatabaseSync(file, { timeout: 5000 });
              const stream = db.prepare("SELECT stream FROM entries WHERE stream <> 'refusals' LIMIT 1").get().stream;
              const dropped = [];
              ${script}
              fs.mkdirSync('docs/out', { recursive: true });
              fs.writeFileSync('docs/out/done', 'done');
              process.exit(0);`,
          },
        ]);
        const run = await bed.mission('run', plan, '--by', 'Ada');
        assert.equal(run.code, 4, `${run.stdout}\n${run.stderr}`);
        assert.equal(run.json.status === 'completed', false, run.stdout);
        const { halt } = run.json as unknown as { readonly halt: { readonly code: string; readonly reason: string } };
        assert.match(halt.code, /^(STATE_STORE_CORRUPT|WRITE_FAILED|STALE_SEQUENCE)$/, run.stdout);
        assert.match(halt.reason, says);
        const summary = 'docs/ops/executions/tampered/EXECUTION_SUMMARY.md';
        assert.equal(bed.exists(summary), false, 'no end is told in the evidence');
        const { missions } = (await bed.mission('status')).json as Partial<Printed>;
        for (const { status, interrupted } of missions ?? [])
          assert.ok(status !== 'completed' || interrupted, 'an end that was not reported is told as such');
      } finally {
        await bed.dispose();
      }
    });
  }
});
