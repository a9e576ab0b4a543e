import assert from 'node:assert/strict';
import path from 'node:path';
import { mkdir, symlink } from 'node:fs/promises';
import { runsInsideWorker } from '../../src/adapters/launches/ancestry';
import { runFiles } from '../../src/contracts/launch';
import { cleanUp, newRun } from './harness';

const program = path.join(process.cwd(), 'dist-test', 'supervisor', 'programs', 'insideWorker.program.js');

describe('the sender of a command: a person or a worker', () => {
  afterEach(cleanUp);

  it('a process of a worker is recognised, also when it has unset the variable', async () => {
    const attempts: readonly (readonly string[])[] = [
      [process.execPath, program, 'missions'],
      ['env', '-u', 'MISSION_RUN_NONCE', process.execPath, program, 'missions'],
      ['sh', '-c', `env -i '${process.execPath}' '${program}' missions; true`],
      ['env', '-i', '/bin/sh', '-c', `'${process.execPath}' '${program}' missions; true`],
    ];
    for (const argv of attempts) {
      const run = await newRun(argv);
      const runs = path.join(run.folder, 'missions', 'M', 'runs');
      await mkdir(runs, { recursive: true });
      await run.prepare();
      await symlink(run.runDir, path.join(runs, '1-T1'));
      await run.launches.start(run.runDir, run.known);
      await run.awaitExit();
      assert.equal(await run.read(runFiles.stdout), 'inside true, 1 live\n', argv.join(' '));
    }
  });

  it('this test process is not one', async () => {
    assert.equal(await runsInsideWorker([], {}), false);
    assert.equal(await runsInsideWorker([], { MISSION_RUN_NONCE: 'x' }), true);
  });
});
