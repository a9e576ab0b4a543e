import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import type { Outcome } from '../../../src/base/outcome';
import { workspaceChecks } from '../../../src/adapters/doctor/workspace';
import { openJournalDb } from '../../../src/adapters/journal/inProcess';
import { openStateFolder, type StateFolder } from '../../../src/adapters/state/folder';
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
    await setAside();
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
});

describe('a repair of the doctor that is not possible', () => {
  after(removeScratch);

  it('says what stands against it where another program writes the journal, and waits for none', async () => {
    const { workspace, stateDb } = await stateFolder();
    await unmarkedJournal(stateDb);
    const mark = await repairOf('state-store', workspace);
    const other = new DatabaseSync(stateDb);
    other.exec('BEGIN IMMEDIATE');
    const refusal = await mark();
    assert.equal(refusal.ok ? null : refusal.refusal.next.length > 0, true);
    other.exec('ROLLBACK');
    other.close();
    assert.equal((await mark()).ok, true);
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

async function repairOf(id: string, workspace: string): Promise<() => Promise<Outcome<null>>> {
  const nothing = { missions: [], unreadable: [] };
  const checks = await workspaceChecks(workspace, { kind: 'in_process' }, () => Promise.resolve(nothing));
  const repair = checks.find((check) => check.id === id)?.repair;
  assert.ok(repair, JSON.stringify(checks));
  return repair.does;
}
