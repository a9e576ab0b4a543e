import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
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
});

async function stateFolder(): Promise<StateFolder> {
  const opened = await openStateFolder(await scratch());
  assert.ok(opened.ok);
  return opened.value;
}

async function repairOf(id: string, workspace: string): Promise<() => Promise<void>> {
  const nothing = { missions: [], unreadable: [] };
  const checks = await workspaceChecks(workspace, { kind: 'in_process' }, () => Promise.resolve(nothing));
  const repair = checks.find((check) => check.id === id)?.repair;
  assert.ok(repair, JSON.stringify(checks));
  return repair.does;
}
