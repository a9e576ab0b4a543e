import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { workspaceChecks } from '../../../src/adapters/doctor/workspace';
import { openJournalDb } from '../../../src/adapters/journal/inProcess';
import { openStateFolder, type StateFolder } from '../../../src/adapters/state/folder';
import type { DoctorCheck } from '../../../src/engine/ports/doctor';
import { skipWithReason } from '../../support/skip';
import { removeScratch, scratch } from '../scratch';

/** The page of the doctor and its notification offer a repair for as long as they are open. */
describe('a repair of the doctor that is pressed once more, after the folder was mended', () => {
  after(removeScratch);

  it('leaves the lease, which a running owner may hold', async () => {
    const { workspace, leaseDb } = await stateFolder();
    await writeFile(leaseDb, 'no lease');
    const repair = await repairOf('lease', workspace);
    await repair();
    assert.equal(existsSync(leaseDb), false);
    await writeFile(leaseDb, '');
    await repair();
    assert.equal(existsSync(leaseDb), true);
  });

  it('leaves the folder of another program with its mode and its files', async function () {
    if (process.platform === 'win32') skipWithReason(this, 'Windows has no modes');
    const { root, workspace, stateDb } = await stateFolder();
    await chmod(root, 0o755);
    const repair = await repairOf('state-folder', workspace);
    await rm(root, { recursive: true });
    await mkdir(root);
    await chmod(root, 0o755);
    const db = new DatabaseSync(stateDb);
    db.exec('CREATE TABLE todo (what TEXT)');
    db.close();
    await repair();
    assert.deepEqual([await readdir(root), (await stat(root)).mode & 0o777], [['state.db'], 0o755]);
    const found = (await checksOf(workspace)).find(({ id }) => id === 'state-folder');
    assert.deepEqual([found?.ok, found?.repair], [false, undefined]);
    assert.match(found?.detail ?? '', /belongs to another program/);
  });

  it('leaves the journal that the missions since then have written', async () => {
    const { workspace, stateDb } = await stateFolder();
    await writeFile(stateDb, 'this is no database');
    const repair = await repairOf('state-store', workspace);
    await repair();
    assert.equal(existsSync(stateDb), false);
    const journal = openJournalDb(stateDb, 'write');
    assert.ok(journal.ok);
    await journal.value.close();
    await repair();
    assert.equal(existsSync(stateDb), true);
  });

  it('leaves a journal that a person has restored from a dump, which another repair may mark', async () => {
    const { root, workspace, stateDb } = await stateFolder();
    await writeFile(stateDb, 'this is no database');
    const setAside = await repairOf('state-store', workspace);
    await rm(stateDb);
    await unmarkedJournal(stateDb);
    const mark = await repairOf('state-store', workspace);
    const before = await readdir(root);
    const outcome = await setAside();
    assert.equal(outcome.ok ? null : outcome.refusal.code, 'STATE_STORE_UNMARKED');
    assert.deepEqual(await readdir(root), before);
    await mark();
    const journal = openJournalDb(stateDb, 'read');
    assert.ok(journal.ok);
    await journal.value.close();
  });

  it('leaves a broken journal that stands where an unmarked one stood', async () => {
    const { root, workspace, stateDb } = await stateFolder();
    await unmarkedJournal(stateDb);
    const mark = await repairOf('state-store', workspace);
    await writeFile(stateDb, 'this is no database');
    const before = await readdir(root);
    await mark();
    assert.deepEqual([await readdir(root), await readFile(stateDb, 'utf8')], [before, 'this is no database']);
  });
  it('says why a mark was not written where another process writes', async () => {
    const { workspace, stateDb } = await stateFolder();
    await unmarkedJournal(stateDb);
    const mark = await repairOf('state-store', workspace);
    const other = new DatabaseSync(stateDb);
    other.exec('BEGIN IMMEDIATE');
    const outcome = await mark();
    other.close();
    assert.ok(!outcome.ok);
    assert.equal(outcome.refusal.code, 'STATE_STORE_UNWRITABLE');
    assert.match(outcome.refusal.reason, /another process keeps it busy/);
    assert.deepEqual(outcome.refusal.next, ['Try again.']);
    assert.ok((await mark()).ok);
  });

  it('says why a lease was not deleted', async () => {
    const { workspace, leaseDb } = await stateFolder();
    await writeFile(leaseDb, 'no lease');
    const repair = await repairOf('lease', workspace);
    await rm(leaseDb);
    await mkdir(leaseDb);
    const outcome = await repair();
    assert.ok(!outcome.ok);
    assert.equal(outcome.refusal.code, 'STATE_STORE_UNWRITABLE');
    assert.match(outcome.refusal.reason, /lease\.db cannot be deleted: .+\.$/);
  });
});

/** A journal without its mark, as a dump leaves it. */
async function unmarkedJournal(stateDb: string): Promise<void> {
  const journal = openJournalDb(stateDb, 'write');
  assert.ok(journal.ok);
  await journal.value.close();
  const db = new DatabaseSync(stateDb);
  db.exec('PRAGMA application_id = 0; PRAGMA user_version = 0');
  db.close();
}

async function stateFolder(): Promise<StateFolder> {
  const opened = await openStateFolder(await scratch());
  assert.ok(opened.ok);
  return opened.value;
}

async function repairOf(id: string, workspace: string): Promise<NonNullable<DoctorCheck['repair']>['does']> {
  const checks = await checksOf(workspace);
  const repair = checks.find((check) => check.id === id)?.repair;
  assert.ok(repair, JSON.stringify(checks));
  return repair.does;
}

function checksOf(workspace: string): Promise<readonly DoctorCheck[]> {
  const nothing = { missions: [], unreadable: [] };
  return workspaceChecks(workspace, { kind: 'in_process' }, () => Promise.resolve(nothing));
}
