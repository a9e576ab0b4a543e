import assert from 'node:assert/strict';
import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { CliBed, decision, isAlive, start, until, type Ended } from './cliBed';

/** The folder that a run is recorded in, or all of the state, taken away under a mission that runs. */
describe('a state folder that goes in the middle of a mission', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  /** To the moment at which the worker waits; it is never let go on. */
  const waiting = async (): Promise<{ readonly ended: Promise<Ended>; readonly worker: number }> => {
    const run = bed.start('run', bed.plan('lost', [{ script: `${start}${bed.waitAt('gate')}` }]));
    const worker = await bed.waitsAt('gate');
    // The worker is there before its owner has journalled that it is.
    await until(async () => (await bed.mission('status')).json.missions[0]?.live?.task_id === 'T1');
    return { ended: run.ended, worker };
  };

  it('with its runs removed: the worker is ended, the block says why, and the mission can be cancelled', async () => {
    const { ended, worker } = await waiting();
    rmSync(bed.at('.mission-control/missions'), { recursive: true, maxRetries: 5 });
    const run = await ended;
    assert.equal(run.code, 3, run.stdout + run.stderr);
    assert.equal(isAlive(worker), false);
    const [packet] = run.json.packets;
    assert.deepEqual([packet?.category, run.json.code], ['run_not_recorded', 'MISSING_REQUIRED_INPUT']);
    assert.match(run.json.reason, /removed or moved away/);
    assert.equal((await bed.mission('check', 'recovery-packet', packet!.path)).code, 0);
    const cancelled = await bed.mission('cancel', 'lost', ...decision);
    assert.equal(cancelled.json.mission.status, 'cancelled', cancelled.stdout + cancelled.stderr);
    assert.equal((await bed.mission('evidence', 'verify', 'lost')).code, 0);
  });

  it('moved away: the owner ends the worker, names the file and stops; once it is put back, a person decides', async () => {
    const { ended, worker } = await waiting();
    const elsewhere = path.join(bed.scratch, 'elsewhere');
    renameSync(bed.at('.mission-control'), elsewhere);
    const run = await ended;
    assert.deepEqual([run.code, run.json.code], [4, 'WRITE_FAILED'], run.stdout + run.stderr);
    assert.match(run.json.reason, /state\.db was removed or replaced/);
    await until(() => !isAlive(worker));
    rmSync(bed.at('.mission-control'), { recursive: true, force: true });
    renameSync(elsewhere, bed.at('.mission-control'));
    const resumed = await bed.mission('resume', 'lost', ...decision);
    assert.equal(resumed.json.mission.status, 'blocked', resumed.stdout + resumed.stderr);
    // Its supervisor tries for a minute to say so. On a slow machine it looks when the folder is back already, and knows
    // the signal of the owner alone, or is over its minute: then the end is unknown, and the block says so.
    assert.match(
      resumed.json.mission.reason,
      /run directory .* was removed or moved away while the worker ran|was ended by SIGTERM|The supervisor was killed, or \.mission-control was away/,
    );
    assert.ok(existsSync(bed.at(resumed.json.mission.packets[0]!.path)));
  });
});
