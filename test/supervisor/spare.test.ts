import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createLaunches } from '../../src/adapters/launches/launches';
import { isAlive, identityOf } from '../../src/adapters/processes/tree';
import { SpareSupervisor } from '../../src/adapters/launches/spare';
import { spares } from '../support/spares';
import { cleanUp, newRun, programFile, supervisorCopy, until } from './harness';

const environment = { PATH: process.env['PATH'], SPARE_TEST: 'spare' }; // too short to be taken out of what is recorded

describe('supervisor: a spare that waits for its run', () => {
  let spare: SpareSupervisor;
  beforeEach(async () => (spare = new SpareSupervisor({ supervisor: await supervisorCopy(), environment })));
  afterEach(async () => {
    spare.dispose();
    await cleanUp();
  });

  it('claims the ticket of the run it is sent to, with that run’s environment and log', async () => {
    const run = await newRun(
      ['/bin/sh', '-c', 'echo "$SPARE_TEST in $PWD"'],
      { env_names: ['SPARE_TEST'] },
      environment,
    );
    await spare.prepare();
    const waiting = await until('a spare', async () => (await spares())[0]);
    await run.prepare();
    const launches = createLaunches({ ...run.program, spare });
    assert.notEqual((await launches.start(run.runDir, run.known)).kind, 'refused');
    const exit = await launches.awaitExit(run.runDir, run.known, () => undefined);
    assert.equal(exit.exit_code, 0, exit.error ?? '');
    assert.equal(await run.read('stdout.jsonl'), `spare in ${run.folder}\n`);
    assert.equal(
      (JSON.parse(await run.read('process.json')) as { supervisor: { pid: number } }).supervisor.pid,
      waiting,
    );
    assert.equal(await run.read('supervisor.log'), '');
  });

  it('records in the run’s log why it did nothing', async () => {
    const run = await newRun(['/bin/true']);
    await run.whole();
    await spare.prepare();
    const started = spare.take({ run_dir: run.runDir, environment: {} });
    assert(started !== null);
    await until('its end', () => Promise.resolve(started.end() !== null));
    assert.match(await run.read('supervisor.log'), /nothing was started/);
  });

  it('ends when it is disposed', async () => {
    await spare.prepare();
    await spare.prepare();
    const waiting = await spares();
    assert.equal(waiting.length, 1);
    const identity = await identityOf(waiting[0] ?? 0);
    assert(identity !== null);
    spare.dispose();
    await until('its end', async () => !(await isAlive(identity)));
    assert.equal(spare.take({ run_dir: '/', environment: {} }), null);
  });

  it('that died does not keep a run from starting', async () => {
    const run = await newRun(['/bin/true'], {}, environment);
    await spare.prepare();
    const pid = await until('a spare', async () => (await spares())[0]);
    process.kill(pid, 'SIGKILL');
    await run.prepare();
    const launches = createLaunches({ ...run.program, spare });
    const started = await launches.start(run.runDir, run.known);
    assert.notEqual(started.kind, 'refused');
    assert.equal((await launches.awaitExit(run.runDir, run.known, () => undefined)).exit_code, 0);
  });

  it('or another supervisor that comes too late for its ticket has ended when the start is answered', async () => {
    const run = await newRun(['/bin/true']);
    await run.prepare();
    const launches = createLaunches({ ...run.program, supervisor: () => Promise.resolve(programFile('slow.cjs')) });
    const start = launches.start(run.runDir, run.known);
    await until('the supervisor', () => Promise.resolve(existsSync(path.join(run.runDir, 'supervisor.log'))));
    await launches.requestStop(run.runDir, run.known, 'on second thoughts');
    const started = await start;
    assert.ok(started.kind !== 'running', started.kind);
    assert.ok(existsSync(path.join(run.runDir, 'late')), 'it was still at work in the run directory');
  });
});
