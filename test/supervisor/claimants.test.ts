import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { launchStanding } from '../../src/adapters/launches/files';
import { identityOf } from '../../src/adapters/processes/tree';
import { runFiles, type ProcessIdentity } from '../../src/contracts/launch';
import { takeTicket } from '../../src/supervisor/superviseRun';
import { cleanUp, newRun, type Run } from './harness';

describe('two supervisors that want one ticket', () => {
  afterEach(cleanUp);

  /** One that said who it is and did not come to take the ticket: it is put back. */
  async function wantsOnly(run: Run, supervisor: ProcessIdentity): Promise<void> {
    assert.equal((await takeTicket(run.runDir, supervisor)).kind, 'won');
    await rename(path.join(run.runDir, runFiles.claimed), path.join(run.runDir, runFiles.ticket));
  }

  for (const older of ['ends', 'lives'] as const) {
    it(`the launch stays with the second one when the first one ends (the older one ${older})`, async () => {
      const run = await newRun([process.execPath, '-e', '']);
      await run.prepare();
      // Their files lie in the order of their ids, which is that of their ages.
      const pair = [started(), started()] as const;
      const [first, second] = older === 'ends' ? pair : ([pair[1], pair[0]] as const);
      await wantsOnly(run, (await identityOf(first.pid ?? 0)) ?? assert.fail());
      const living = (await identityOf(second.pid ?? 0)) ?? assert.fail();
      assert.equal((await takeTicket(run.runDir, living)).kind, 'won');
      await ended(first);
      const standing = await launchStanding(run.runDir, run.known);
      await ended(second);
      assert.ok(standing.kind === 'taken', JSON.stringify(standing));
      assert.equal(standing.claimant?.pid, second.pid);
    });
  }

  it('the launch is lost once both have ended', async () => {
    const run = await newRun([process.execPath, '-e', '']);
    await run.prepare();
    for (const last of [false, true]) {
      const child = started();
      const supervisor = (await identityOf(child.pid ?? 0)) ?? assert.fail();
      if (last) assert.equal((await takeTicket(run.runDir, supervisor)).kind, 'won');
      else await wantsOnly(run, supervisor);
      await ended(child);
    }
    assert.equal((await launchStanding(run.runDir, run.known)).kind, 'lost');
  });
});

function started(): ChildProcess {
  return spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
}

async function ended(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}
