import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openJournalThread } from '../../../src/adapters/journal/client';
import { openJournalDb } from '../../../src/adapters/journal/inProcess';
import { markStore } from '../../../src/adapters/journal/open';
import { createMemoryJournal } from '../../support/memoryJournal';
import { rewriteJournal } from '../../support/rewrittenJournal';
import { skipWithReason } from '../../support/skip';
import { codeOf } from '../../support/refused';
import type { TestEvent } from './suite';
import { ann, entry, journalSuite } from './suite';
import { removeScratch, scratch } from '../scratch';

const threadScript = path.resolve('dist-test/adapters/programs/journalThread.program.js');

function opened<T>(outcome: { ok: true; value: T } | { ok: false; refusal: { code: string; reason: string } }): T {
  assert(outcome.ok, outcome.ok ? '' : outcome.refusal.reason);
  return outcome.value;
}

async function stateDb(): Promise<string> {
  return path.join(await scratch(), 'state.db');
}

/** A store with three entries in stream M, closed. */
async function writtenStore(): Promise<string> {
  const file = await stateDb();
  const journal = opened(openJournalDb<TestEvent>(file, 'write'));
  const { fence } = opened(await journal.raiseFence(ann));
  assert((await journal.append('M', 0, fence, [entry('a'), entry('b'), entry('c')])).ok);
  await journal.close();
  return file;
}

function raw(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  try {
    db.exec(sql);
  } finally {
    db.close();
  }
}

/** A new database with the statements and rows of another, as `.dump` prints them: without its mark and version. */
async function restoredFrom(file: string): Promise<string> {
  const copy = await stateDb();
  const [from, to] = [new DatabaseSync(file, { readOnly: true }), new DatabaseSync(copy)];
  try {
    const made = (type: string): readonly string[] =>
      from
        .prepare('SELECT sql FROM sqlite_schema WHERE type = ?')
        .all(type)
        .map(({ sql }) => String(sql));
    for (const sql of made('table')) to.exec(sql);
    for (const table of ['entries', 'fences'])
      for (const row of from.prepare(`SELECT * FROM ${table}`).all()) {
        const values = Object.values(row);
        to.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join()})`).run(...values);
      }
    for (const sql of made('trigger')) to.exec(sql);
  } finally {
    from.close();
    to.close();
  }
  return copy;
}

after(removeScratch);

journalSuite('in this thread', async () => opened(openJournalDb<TestEvent>(await stateDb(), 'write', 'key')));
journalSuite('in a worker thread', async () =>
  opened(
    await openJournalThread<TestEvent>({ script: threadScript, file: await stateDb(), access: 'write', key: 'key' }),
  ),
);
journalSuite('in memory', () => Promise.resolve(createMemoryJournal<TestEvent>()));

describe('journal on disk', () => {
  it('is sealed up to its last entry by the key that wrote it, and by no other', async () => {
    const file = await stateDb();
    const sealed = async (key: string | null): Promise<boolean | undefined> => {
      const journal = opened(openJournalDb<TestEvent>(file, 'read', key));
      const [stream] = await journal.streams();
      await journal.close();
      return stream?.sealed;
    };
    const append = async (key: string | null, seq: number): Promise<void> => {
      const journal = opened(openJournalDb<TestEvent>(file, 'write', key));
      const { fence } = opened(await journal.raiseFence(ann));
      assert((await journal.append('M', seq, fence, [entry('a'), entry('b')])).ok);
      await journal.close();
    };
    await append('key', 0);
    assert.deepEqual([await sealed('key'), await sealed('other'), await sealed(null)], [true, false, false]);
    await append(null, 2);
    assert.deepEqual([await sealed('key'), await sealed(null)], [false, false]);
    await append('key', 4);
    assert.equal(await sealed('key'), true);
    const journal = opened(openJournalDb<TestEvent>(file, 'read', 'key'));
    assert.doesNotMatch((await journal.exportStream('M')).join(), /seal/);
    await journal.close();
    rewriteJournal(file, 'M', (event, seq) => (seq === 2 ? event.replace('"b"', '"c"') : event));
    assert.equal(await sealed('key'), false);
  });

  it('is private to the user and survives being closed', async () => {
    const file = await writtenStore();
    if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600);
    const journal = opened(openJournalDb<TestEvent>(file, 'write'));
    assert.equal((await journal.read('M')).length, 3);
    await journal.close();
  });

  it('hashes as its documentation says', async () => {
    const journal = opened(openJournalDb<TestEvent>(await writtenStore(), 'read'));
    for (const line of await journal.exportStream('M')) {
      const hashed = line.replace(/,"hash":"[0-9A-F]{64}"\}$/, '}');
      const digest = createHash('sha256').update(hashed).digest('hex').toUpperCase();
      assert.equal(digest, (JSON.parse(line) as { hash: string }).hash);
    }
    await journal.close();
  });

  it('refuses every change of history, also through another connection', async () => {
    const file = await writtenStore();
    const columns = 'stream, seq, run_id, at, actor_kind, actor_name, fence, prev_hash, hash, seal, event';
    const attempts = [
      `UPDATE entries SET event = '{}' WHERE seq = 2`,
      'DELETE FROM entries WHERE seq = 3',
      'DELETE FROM fences',
      'UPDATE fences SET fence = 9',
      'REPLACE INTO fences SELECT * FROM fences',
      `INSERT OR REPLACE INTO entries (id, ${columns}) SELECT id, ${columns} FROM entries WHERE seq = 2`,
      `INSERT OR REPLACE INTO entries (${columns}) SELECT ${columns} FROM entries WHERE seq = 3`,
      `INSERT INTO entries (${columns}) SELECT stream, 5, run_id, at, actor_kind, actor_name, fence, hash, hash, seal, event FROM entries WHERE seq = 3`,
      `INSERT INTO entries (${columns}) SELECT stream, 4, run_id, at, actor_kind, actor_name, 7, hash, hash, seal, event FROM entries WHERE seq = 3`,
    ];
    for (const sql of attempts) assert.throws(() => raw(file, sql), /journal: /, sql);
    const journal = opened(openJournalDb<TestEvent>(file, 'read'));
    assert.deepEqual(await journal.verifyStream('M'), { valid: true, events: 3, first_bad: null });
    await journal.close();
  });

  it('refuses a store whose triggers were taken away', async () => {
    const file = await writtenStore();
    raw(file, 'DROP TRIGGER entries_update');
    for (const access of ['read', 'write'] as const) {
      const outcome = openJournalDb(file, access);
      assert(!outcome.ok);
      assert.equal(outcome.refusal.code, 'STATE_STORE_CORRUPT');
    }
  });

  it('finds a changed, a removed and a forged entry', async () => {
    const cases = [
      [`UPDATE entries SET event = '{"type":"x"}' WHERE seq = 2`, 3, 2],
      [`UPDATE entries SET actor_name = 'Bob' WHERE seq = 1`, 3, 1],
      ['DELETE FROM entries WHERE seq = 2', 2, 2],
      [`UPDATE entries SET event = '{torn' WHERE seq = 3`, 3, 3],
      ['UPDATE entries SET fence = 3 WHERE seq = 3', 3, 3],
    ] as const;
    for (const [sql, events, firstBad] of cases) {
      const file = await writtenStore();
      const db = new DatabaseSync(file);
      const triggers = db.prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`).all();
      for (const { name } of triggers) db.exec(`DROP TRIGGER ${String(name)}`);
      db.exec(sql);
      for (const { sql: create } of triggers) db.exec(String(create));
      db.close();
      const journal = opened(openJournalDb<TestEvent>(file, 'read'));
      assert.deepEqual(await journal.verifyStream('M'), { valid: false, events, first_bad: firstBad }, sql);
      if (sql.includes('torn')) {
        await assert.rejects(
          journal.read('M'),
          (error: { refusal?: { code: string } }) => error.refusal?.code === 'STATE_STORE_CORRUPT',
        );
        assert.equal((await journal.read('M', 0).catch(() => [])).length, 0);
      }
      await journal.close();
    }
  });

  it('refuses a newer store, another program’s database, garbage and a cut file with codes', async () => {
    const newer = await writtenStore();
    raw(newer, 'PRAGMA user_version = 99');
    const foreign = await stateDb();
    raw(foreign, 'CREATE TABLE t (a)');
    const altered = await writtenStore();
    raw(altered, 'CREATE TABLE t (a)');
    const garbage = await stateDb();
    await writeFile(garbage, 'no database at all, only text that is longer than a header '.repeat(200));
    const cut = await writtenStore();
    await truncate(cut, 5000);
    const cases = [
      [newer, 'STATE_STORE_NEWER'],
      [foreign, 'STATE_STORE_FOREIGN'],
      [altered, 'STATE_STORE_CORRUPT'],
      [garbage, 'STATE_STORE_CORRUPT'],
      [cut, 'STATE_STORE_CORRUPT'],
    ] as const;
    for (const [file, code] of cases) {
      for (const access of ['read', 'write'] as const) {
        const outcome = openJournalDb(file, access);
        assert(!outcome.ok, `${file} ${access}`);
        assert.equal(outcome.refusal.code, code);
        assert(outcome.refusal.next.length > 0);
        const touching = /repair|move|delete|copy/i.test(outcome.refusal.next.join(' '));
        assert.equal(touching, code === 'STATE_STORE_CORRUPT', outcome.refusal.next.join(' '));
        const inThread = await openJournalThread({ script: threadScript, file, access });
        assert(!inThread.ok);
        assert.equal(inThread.refusal.code, code);
      }
    }
  });

  it('is ours without its mark, which a dump leaves out, and goes on when the mark is written again', async () => {
    const file = await restoredFrom(await writtenStore());
    for (const access of ['read', 'write'] as const) {
      const outcome = openJournalDb(file, access);
      assert(!outcome.ok);
      assert.equal(outcome.refusal.code, 'STATE_STORE_UNMARKED');
      assert.match(
        outcome.refusal.reason,
        /has the tables of a journal, and not the mark .*: a dump leaves the mark out/,
      );
      assert.deepEqual(outcome.refusal.next, ['Run `mission doctor --repair`, which writes the mark again.']);
    }
    assert.ok(markStore(file).ok);
    const journal = opened(openJournalDb<TestEvent>(file, 'write'));
    assert.deepEqual(await journal.verifyStream('M'), { valid: true, events: 3, first_bad: null });
    const { fence } = opened(await journal.raiseFence(ann));
    assert((await journal.append('M', 3, fence, [entry('d')])).ok);
    await journal.close();
  });

  it('is ours and altered where a trigger is missing as well, and another program’s where a table is', async () => {
    const altered = await restoredFrom(await writtenStore());
    raw(altered, 'DROP TRIGGER entries_update');
    assert.equal(codeOf(openJournalDb(altered, 'read')), 'STATE_STORE_CORRUPT');
    const other = await restoredFrom(await writtenStore());
    raw(other, 'DROP TABLE fences');
    assert.equal(codeOf(openJournalDb(other, 'read')), 'STATE_STORE_FOREIGN');
    for (const [file, code] of [
      [altered, 'STATE_STORE_CORRUPT'],
      [other, 'STATE_STORE_FOREIGN'],
    ] as const) {
      assert.ok(markStore(file).ok);
      assert.equal(codeOf(openJournalDb(file, 'read')), code);
    }
  });

  it('refuses with a code a place where no file can be', async () => {
    const outcome = openJournalDb(path.join(await scratch(), 'missing', 'state.db'), 'write');
    assert(!outcome.ok);
    assert.equal(outcome.refusal.code, 'STATE_STORE_UNWRITABLE');
  });

  it('shows a viewer nothing, then what an owner writes beside it', async () => {
    const file = await stateDb();
    const viewer = opened(openJournalDb<TestEvent>(file, 'read'));
    assert.deepEqual([await viewer.streams(), await viewer.read('M'), await viewer.owner()], [[], [], null]);
    const owner = opened(openJournalDb<TestEvent>(file, 'write'));
    const { fence } = opened(await owner.raiseFence(ann));
    for (let seq = 0; seq < 3; seq++) {
      assert((await owner.append('M', seq, fence, [entry('a')])).ok);
      assert.equal((await viewer.read('M')).length, seq + 1);
    }
    const refused = await viewer.append('M', 3, fence, [entry('b')]);
    assert(!refused.ok);
    assert.equal(refused.code, 'WRITE_FAILED');
    assert.equal(codeOf(await viewer.raiseFence(ann)), 'STATE_STORE_UNWRITABLE');
    await viewer.close();
    await owner.close();
  });

  it('writes no more when its file was removed or replaced', async function () {
    if (process.platform === 'win32') skipWithReason(this, 'Windows lets nobody remove an open file');
    for (const replace of [
      async (file: string) => rm(file),
      async (file: string) => {
        await copyFile(file, `${file}.copy`);
        await rename(`${file}.copy`, file);
      },
    ]) {
      const file = await stateDb();
      const journal = opened(openJournalDb<TestEvent>(file, 'write'));
      const { fence } = opened(await journal.raiseFence(ann));
      assert((await journal.append('M', 0, fence, [entry('a')])).ok);
      await replace(file);
      const refused = await journal.append('M', 1, fence, [entry('b')]);
      assert(!refused.ok);
      assert.equal(refused.code, 'WRITE_FAILED');
      await journal.close();
    }
  });
});

describe('journal thread', () => {
  it('answers WRITE_FAILED to open and later calls when it dies', async () => {
    const script = path.resolve('dist-test/adapters/programs/crashingThread.program.js');
    const journal = opened(await openJournalThread<TestEvent>({ script, file: await stateDb(), access: 'write' }));
    const results = await Promise.all([
      journal.append('M', 0, 1, [entry('a')]),
      journal.append('M', 1, 1, [entry('b')]),
    ]);
    results.push(await journal.append('M', 2, 1, [entry('c')]));
    for (const result of results) {
      assert(!result.ok);
      assert.equal(result.code, 'WRITE_FAILED');
      assert.match(result.reason, /out of memory, say/);
    }
    await assert.rejects(journal.read('M'), { name: 'StateStoreError' });
    await journal.close();
  });

  it('refuses with a code when it cannot start', async () => {
    const outcome = await openJournalThread({
      script: path.resolve('dist-test/missing.js'),
      file: await stateDb(),
      access: 'write',
    });
    assert(!outcome.ok);
    assert.equal(outcome.refusal.code, 'STATE_STORE_UNWRITABLE');
  });
});
