import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createLaunches } from '../../src/adapters/launches/launches';
import { isAlive } from '../../src/adapters/processes/tree';
import { SpareSupervisor } from '../../src/adapters/launches/spare';
import type { ProcessRecord } from '../../src/contracts/launch';
import type { Launches } from '../../src/engine/ports/launches';
import { cleanUp, newRun, supervisorCopy, supervisorFile, type Run } from './harness';

const environment = { PATH: process.env['PATH'] };

describe('supervisor: several launches of one owner at the same time', () => {
  let spare: SpareSupervisor;
  beforeEach(async () => (spare = new SpareSupervisor({ supervisor: await supervisorCopy(), environment })));
  afterEach(async () => {
    spare.dispose();
    await cleanUp();
  });

  /** Prepared runs that share what one owner has: the copy of the supervisor, one spare. */
  async function lanes(
    argv: (lane: number) => readonly string[],
    count: number,
  ): Promise<{ runs: readonly Run[]; launches: Launches }> {
    const runs = await Promise.all(
      Array.from({ length: count }, (_, lane) =>
        newRun(argv(lane), { env: { LANE: String(lane) }, task_id: `T${lane}` }, environment),
      ),
    );
    const program = runs[0]?.program ?? assert.fail();
    const launches = createLaunches({ ...program, spare });
    await Promise.all(runs.map((run) => run.prepare()));
    return { runs, launches };
  }
  const processOf = async (run: Run): Promise<ProcessRecord> =>
    JSON.parse(await run.read('process.json')) as ProcessRecord;
  const ended = (launches: Launches, run: Run) => launches.awaitExit(run.runDir, run.known, () => undefined);

  for (const waiting of [true, false])
    it(`each starts once, with its own run and environment, ${waiting ? 'one of them by the spare' : 'without a copy of the supervisor yet'}`, async () => {
      const { runs, launches } = await lanes(() => ['/bin/sh', '-c', 'echo "$LANE in $PWD"; echo x >> started'], 6);
      if (waiting) await spare.prepare();
      // Each is asked for twice, as an owner and the one before it could.
      const twice = [...runs, ...runs];
      const starts = await Promise.all(twice.map((run) => launches.start(run.runDir, run.known)));
      assert.ok(
        starts.every(({ kind }) => kind !== 'refused'),
        JSON.stringify(starts),
      );
      const exits = await Promise.all(runs.map((run) => ended(launches, run)));
      assert.deepEqual(
        exits.map(({ reason, exit_code }) => [reason, exit_code]),
        runs.map(() => ['exited', 0]),
      );
      for (const [lane, run] of runs.entries()) {
        assert.equal(await run.read('stdout.jsonl'), `${lane} in ${run.folder}\n`);
        assert.equal(await readFile(path.join(run.folder, 'started'), 'utf8'), 'x\n');
      }
      const supervisors = await Promise.all(runs.map(async (run) => (await processOf(run)).supervisor.pid));
      assert.equal(new Set(supervisors).size, runs.length);
      const copy = await readFile(await (await supervisorCopy())());
      assert.ok(copy.equals(await readFile(supervisorFile)));
    });

  it('all are stopped at once, each asked more than once', async () => {
    const { runs, launches } = await lanes(() => ['/bin/sh', '-c', 'sleep 600 & sleep 600'], 5);
    await Promise.all(runs.map((run) => launches.start(run.runDir, run.known)));
    const records = await Promise.all(runs.map(processOf));
    const ends = Promise.all(runs.map((run) => ended(launches, run)));
    await Promise.all([...runs, ...runs].map((run) => launches.requestStop(run.runDir, run.known, 'enough')));
    for (const exit of await ends) assert.deepEqual([exit.reason, exit.tree_gone], ['stop_requested', true]);
    for (const { worker } of records) assert.equal(worker !== null && (await isAlive(worker)), false);
  });

  it('a stop at the moment of the start leaves no process behind, whichever is first', async () => {
    const { runs, launches } = await lanes(() => ['/bin/sh', '-c', 'echo x >> started; exec sleep 600'], 6);
    await spare.prepare();
    await Promise.all(
      runs.map(async (run, lane) => {
        const start = launches.start(run.runDir, run.known);
        // From before the supervisor looks to after its worker has begun.
        await new Promise((resolve) => setTimeout(resolve, lane * 40));
        await launches.requestStop(run.runDir, run.known, 'on second thoughts');
        const started = await start;
        if (started.kind === 'refused') return;
        const exit = started.kind === 'ended' ? started.exit : await ended(launches, run);
        assert.ok(['stop_requested', 'revoked'].includes(exit.reason), `${lane}: ${exit.reason}`);
        assert.equal(exit.tree_gone, true);
        const { worker } = exit.reason === 'revoked' ? { worker: null } : await processOf(run);
        assert.equal(worker !== null && (await isAlive(worker)), false);
      }),
    );
  });
});
