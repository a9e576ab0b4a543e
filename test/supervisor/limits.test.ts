import assert from 'node:assert/strict';
import { stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { LaunchTicket } from '../../src/contracts/launch';
import { skipWithReason } from '../support/skip';
import { cleanUp, newRun, type Run } from './harness';
import { aLongTime, bubblewrap, processesWith, sandboxedRun } from './sandboxed';

const generous = { processes: 2048, memory_mb: 16_384, file_mb: 16_384 };
type NewRun = (argv: readonly string[], changes: Partial<LaunchTicket>) => Promise<Run>;

for (const sandboxed of [false, true]) {
  describe(`the limits of a launch ${sandboxed ? 'in a sandbox' : 'without a sandbox'}`, () => {
    let newOne: NewRun = newRun;
    before(function () {
      if (process.platform !== 'linux') skipWithReason(this, 'prlimit is of Linux');
      if (!sandboxed) return;
      const bwrap = bubblewrap(this);
      newOne = (argv, changes) => sandboxedRun(bwrap, argv, changes);
    });
    afterEach(cleanUp);

    it('are recorded with how they were held, also where they were kept', async () => {
      const exit = await (await newOne(['sh', '-c', 'exit 3'], { limits: generous })).whole();
      assert.deepEqual([exit.reason, exit.exit_code, exit.error], ['exited', 3, null]);
      assert.deepEqual(
        [exit.limits?.processes, exit.limits?.memory_mb, exit.limits?.exceeded],
        ['sampled', 'sampled', null],
      );
    });

    it('are watched by a supervisor that runs before its worker', async () => {
      const run = await newOne(['sleep', aLongTime()], { limits: generous });
      const { worker, supervisor } = await run.start();
      assert.ok(worker);
      assert.equal(os.getPriority(worker.pid), os.getPriority(supervisor.pid) + 5);
      await run.launches.requestStop(run.runDir, run.known, 'enough');
      await run.awaitExit();
    });

    it('end a launch with more processes than it may have, at once', async () => {
      const time = aLongTime();
      const program = `trap '' TERM; i=0; while [ $i -lt 40 ]; do sleep ${time} & i=$((i+1)); done; wait`;
      const run = await newOne(['sh', '-c', program], { limits: { ...generous, processes: 20 }, grace_seconds: 1000 });
      const exit = await run.whole();
      assert.deepEqual([exit.reason, exit.limits?.exceeded, exit.tree_gone], ['resource_limit', 'processes', true]);
      assert.match(exit.error ?? '', /^Its \d\d processes were more than the 20 that execution\.limits allows/);
      assert.deepEqual(await processesWith(time), []);
    });

    it('end a launch whose processes have more memory together than they may', async () => {
      const hold = 'const held = Buffer.alloc(150e6, 1); setInterval(() => held.length, 1000);';
      const one = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(hold)}]);`;
      const limits = { ...generous, memory_mb: 250 };
      const exit = await (
        await newOne([process.execPath, '-e', `${one} ${one} setInterval(() => 0, 1000)`], { limits })
      ).whole();
      assert.deepEqual([exit.reason, exit.limits?.exceeded, exit.tree_gone], ['resource_limit', 'memory_mb', true]);
      assert.match(exit.error ?? '', /^Its \d{3} MB of memory were more than the 250 MB/);
    });

    it('let no file grow longer than it may', async () => {
      const program = 'while [ ! -e go ]; do sleep 0.05; done; exec head -c 3000000 /dev/zero > long';
      const run = await newOne(['sh', '-c', program], { limits: { ...generous, file_mb: 1 } });
      await run.start();
      await writeFile(path.join(run.folder, 'go'), '');
      const exit = await run.awaitExit();
      assert.deepEqual(
        [exit.reason, exit.limits?.exceeded, exit.limits?.file_mb],
        ['resource_limit', 'file_mb', 'prlimit'],
      );
      assert.match(exit.error ?? '', /^It wrote a file longer than the 1 MB/);
      assert.equal((await stat(path.join(run.folder, 'long'))).size, 2 ** 20);
    });
  });
}
