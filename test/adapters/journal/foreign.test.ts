import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { refuseForeign, firstPage } from '../../../src/adapters/journal/foreign';
import { openJournalDb } from '../../../src/adapters/journal/inProcess';
import { openNodeViewer } from '../../../src/adapters/nodeViewer';
import { skipWithReason } from '../../support/skip';
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
  const isLeftAlone = async (): Promise<void> => {
    const before = all();
    assert.equal(await judged(), 'STATE_STORE_FOREIGN');
    const viewer = await openNodeViewer({ workspaceDir: path.dirname(folder), journal: { kind: 'in_process' } });
    assert.equal(viewer.ok ? null : viewer.refusal.code, 'STATE_STORE_FOREIGN');
    assert.deepEqual(all(), before);
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
      await isLeftAlone();
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

  for (const [what, text] of Object.entries({ 'ignores its own files': '*.db\n', 'says more than ours': '*\n!keep\n' }))
    it(`is left alone where a .gitignore of another program stands beside it and ${what}`, async () => {
      database(table);
      writeFileSync(path.join(folder, '.gitignore'), text);
      await isLeftAlone();
    });

  it('is left alone where the .gitignore beside it is a link or a folder', async function () {
    if (process.platform === 'win32') skipWithReason(this, 'links need rights on Windows');
    database(table);
    const ignore = path.join(folder, '.gitignore');
    const elsewhere = path.join(await scratch(), 'ignore');
    writeFileSync(elsewhere, '*\n');
    symlinkSync(elsewhere, ignore);
    assert.equal(await judged(), 'STATE_STORE_FOREIGN');
    rmSync(ignore);
    mkdirSync(ignore);
    assert.equal(await judged(), 'STATE_STORE_FOREIGN');
  });

  it('is not read where our own .gitignore or lease says that the folder is ours', async () => {
    database(table);
    for (const [name, text] of [
      ['.gitignore', '*\n'],
      ['lease.db', ''],
    ] as const) {
      writeFileSync(path.join(folder, name), text);
      assert.equal(await judged(), 'ours', name);
      rmSync(path.join(folder, name));
    }
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

  const headers: Readonly<Record<string, Buffer>> = {
    'no page size': headerOf(0),
    'a page size below that of its header': headerOf(100),
    'a page size that is no power of two': headerOf(1000),
    'a page size below 512': headerOf(256),
    'a header that is cut': headerOf(4096).subarray(0, 60),
  };
  for (const [what, bytes] of Object.entries(headers))
    it(`is for SQLite to judge where it has ${what}`, async () => {
      writeFileSync(file, bytes);
      assert.equal(await judged(), 'ours');
      const viewer = await openNodeViewer({ workspaceDir: path.dirname(folder), journal: { kind: 'in_process' } });
      assert.equal(viewer.ok ? null : viewer.refusal.code, 'STATE_STORE_CORRUPT');
    });

  it('is judged by its header where its first page is cut', async () => {
    database(table).close();
    open.length = 0;
    truncateSync(file, 200);
    assert.equal(await judged(), 'STATE_STORE_FOREIGN');
  });

  it('is for SQLite to judge where it, or its log, is no file', async function () {
    if (process.platform === 'win32') skipWithReason(this, 'Windows has no named pipes in folders');
    database(wal).close();
    open.length = 0;
    execFileSync('mkfifo', [`${file}-wal`]);
    assert.equal(await judged(), 'ours');
    rmSync(file);
    execFileSync('mkfifo', [file]);
    assert.equal(await judged(), 'ours');
  });

  it('is for SQLite to judge where the system cannot read it', async function () {
    if (process.platform !== 'linux') skipWithReason(this, 'the file whose first bytes give EIO is of Linux');
    assert.equal(await firstPage('/proc/self/mem'), null);
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

/** The magic bytes of a database, its page size, the mark of another program, and zeros. */
function headerOf(pageSize: number): Buffer {
  const bytes = Buffer.alloc(8192);
  bytes.write('SQLite format 3\0', 'latin1');
  bytes.writeUInt16BE(pageSize, 16);
  bytes.writeUInt32BE(7, 68);
  return bytes;
}
