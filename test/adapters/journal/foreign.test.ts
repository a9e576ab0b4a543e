import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { refuseForeign } from '../../../src/adapters/state/refuseForeign';
import { openJournalDb } from '../../../src/adapters/journal/inProcess';
import { openNodeViewer } from '../../../src/adapters/nodeViewer';
import { removeScratch, scratch } from '../scratch';

describe('a database at the place of the journal', () => {
  let folder = '';
  let file = '';
  const open: DatabaseSync[] = [];
  beforeEach(async () => {
    folder = path.join(await scratch(), '.mission-control');
    mkdirSync(folder, { mode: 0o700 });
    file = path.join(folder, 'state.db');
  });
  afterEach(() => open.splice(0).forEach((db) => db.close()));
  after(removeScratch);

  /** A database that its program has open. */
  const database = (...statements: readonly string[]): DatabaseSync => {
    const db = new DatabaseSync(file);
    open.push(db);
    for (const sql of statements) db.exec(sql);
    return db;
  };
  const all = (): readonly (readonly [string, string])[] =>
    readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name)).toString('hex')]);
  const judged = async (): Promise<string> => {
    const outcome = await refuseForeign(file);
    return outcome.ok ? 'ours' : outcome.refusal.code;
  };
  const table = 'CREATE TABLE todo (what TEXT)';
  const wal = 'PRAGMA journal_mode = WAL';

  const others: Readonly<Record<string, readonly string[]>> = {
    'with a journal that is rolled back': [table],
    'with a live log': [table, wal, "INSERT INTO todo VALUES ('a')"],
    'whose tables stand in its log alone': [wal, table, "INSERT INTO todo VALUES ('a')"],
    'with a large page': ['PRAGMA page_size = 65536', wal, table],
    'with a mark and no table': ['PRAGMA application_id = 7'],
    'with a table of the same name': ['CREATE TABLE entries (id)', 'CREATE TABLE fences (id)'],
  };
  for (const [what, statements] of Object.entries(others))
    it(`is left alone where it is of another program: ${what}`, async () => {
      database(...statements);
      const before = all();
      assert.equal(await judged(), 'STATE_STORE_FOREIGN');
      const viewer = await openNodeViewer({ workspaceDir: path.dirname(folder), journal: { kind: 'in_process' } });
      assert.equal(viewer.ok ? null : viewer.refusal.code, 'STATE_STORE_FOREIGN');
      assert.deepEqual(all(), before);
    });

  it('gets no side file from a viewer where its program has closed it', async () => {
    database(table, wal).close();
    open.length = 0;
    const before = all();
    assert.deepEqual(
      before.map(([name]) => name),
      ['state.db'],
    );
    const viewer = await openNodeViewer({ workspaceDir: path.dirname(folder), journal: { kind: 'in_process' } });
    assert.equal(viewer.ok ? null : viewer.refusal.code, 'STATE_STORE_FOREIGN');
    assert.deepEqual(all(), before);
  });

  it('is ours where it is a journal, also with its mark in its log alone', async () => {
    const journal = openJournalDb(file, 'write');
    assert.ok(journal.ok);
    const copy = path.join(await scratch(), 'state.db');
    for (const end of ['', '-wal']) copyFileSync(file + end, copy + end);
    assert.equal(readFileSync(copy).includes('CREATE TABLE'), false, 'the file has no table yet');
    await journal.value.close();
    assert.equal(await judged(), 'ours');
    file = copy;
    assert.equal(await judged(), 'ours');
  });

  it('is ours where it has our tables without a mark, as after a dump', async () => {
    const journal = openJournalDb(file, 'write');
    assert.ok(journal.ok);
    await journal.value.close();
    database('PRAGMA application_id = 0', 'PRAGMA user_version = 0');
    assert.equal(await judged(), 'ours');
  });

  it('is no database of another program where it is empty, cut or no database', async () => {
    assert.equal(await judged(), 'ours');
    database(wal);
    assert.equal(await judged(), 'ours');
    open.splice(0).forEach((db) => db.close());
    truncateSync(file, 50);
    assert.equal(await judged(), 'ours');
    writeFileSync(file, 'this is no database '.repeat(50));
    assert.equal(await judged(), 'ours');
  });

  for (const size of [0, 2, 104, 600, 513])
    it(`is left to SQLite where its header is damaged: a page of ${size} bytes`, async () => {
      const header = Buffer.alloc(2048);
      header.write('SQLite format 3\0');
      header.writeUInt16BE(size, 16);
      writeFileSync(file, header);
      assert.equal(await judged(), 'ours');
      const viewer = await openNodeViewer({ workspaceDir: path.dirname(folder), journal: { kind: 'in_process' } });
      assert.equal(viewer.ok ? null : viewer.refusal.code, 'STATE_STORE_CORRUPT');
    });

  it('is of another program also beside a .gitignore or a lease that is not ours', async () => {
    database(table);
    writeFileSync(path.join(folder, '.gitignore'), 'cache/\n');
    writeFileSync(path.join(folder, 'lease.db'), 'rent');
    assert.equal(await judged(), 'STATE_STORE_FOREIGN');
    writeFileSync(path.join(folder, '.gitignore'), '*\n');
    assert.equal(await judged(), 'ours', 'it is not looked at where the folder was ours before');
  });

  it('is judged by commits of its log alone, and by none that was left over', async () => {
    database(wal, table);
    const whole = readFileSync(`${file}-wal`);
    const copy = path.join(await scratch(), 'state.db');
    copyFileSync(file, copy);
    file = copy;
    for (const [log, expected] of [
      [whole, 'STATE_STORE_FOREIGN'],
      [whole.subarray(0, 32), 'ours'],
      [Buffer.concat([whole.subarray(0, 16), Buffer.alloc(8), whole.subarray(24)]), 'ours'],
      [Buffer.concat([whole.subarray(0, 8), Buffer.alloc(4), whole.subarray(12)]), 'ours'],
      [Buffer.concat([Buffer.alloc(4), whole.subarray(4)]), 'ours'],
      [Buffer.alloc(0), 'ours'],
    ] as const) {
      writeFileSync(`${copy}-wal`, log);
      assert.equal(await judged(), expected);
    }
  });
});
