import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { launchStanding } from '../../src/adapters/launches/standing';
import { identityOf } from '../../src/adapters/processes/table';
import { runFiles, type ProcessIdentity } from '../../src/contracts/launch';
import { takeTicket } from '../../src/supervisor/takeTicket';
import { cleanUp, newRun, type Run } from './harness';

describe('two supervisors that want one ticket', () => {
  afterEach(cleanUp);

  /** One that said who it is and did not come to take the ticket: it is put back. */
  async function wantsOnly(run: Run, supervisor: ProcessIdentity): Promise<void> {
    assert.equal((await takeTicket(run.runDir, supervisor)).kind, 'won');
    await rename(path.join(run.runDir, runFiles.claimed), path.join(run.runDir, runFiles.ticket));
  }

  it('the launch is not lost when the first one ends, because the second one has it and lives', async () => {
    const run = await newRun([process.execPath, '-e', '']);
    await run.prepare();
    const first = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const itself = (await identityOf(process.pid)) ?? assert.fail();
    await wantsOnly(run, (await identityOf(first.pid ?? 0)) ?? assert.fail());
    assert.equal((await takeTicket(run.runDir, itself)).kind, 'won');
    first.kill('SIGKILL');
    await once(first, 'exit');
    const standing = await launchStanding(run.runDir, run.known);
    assert.ok(standing.kind === 'taken', JSON.stringify(standing));
    assert.equal(standing.claimant?.pid, process.pid);
  });

  it('the launch is lost once both have ended', async () => {
    const run = await newRun([process.execPath, '-e', '']);
    await run.prepare();
    for (const last of [false, true]) {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      const supervisor = (await identityOf(child.pid ?? 0)) ?? assert.fail();
      if (last) assert.equal((await takeTicket(run.runDir, supervisor)).kind, 'won');
      else await wantsOnly(run, supervisor);
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    assert.equal((await launchStanding(run.runDir, run.known)).kind, 'lost');
  });
});
