import assert from 'node:assert/strict';
import path from 'node:path';
import { skipWithReason } from '../support/skip';
import { CliBed, cliFile, start } from './cliBed';

const preload = path.resolve('dist-test/kill/points.program.js');

/** The approval is recorded, the file written, the mission ended: wherever it dies, the same approval finishes. */
describe('the approval of a revision, killed', function () {
  let bed: CliBed;
  before(function () {
    if (process.platform === 'win32') skipWithReason(this, 'there is no SIGKILL by which a process ends itself');
  });
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const revision = 'docs/plans/PLAN_k-r2.json';
  const approve = ['plan', 'approve', revision, '--by', 'Grace', '--yes', '--json'];
  const approved = (): string => bed.json(revision).status;
  const header = (): string => bed.json('docs/ops/executions/k/EXECUTION_HEADER.json').state;

  for (const [point, status] of [
    ['fs.rename(PLAN_k-r2.json)#1:before', 'DRAFT'],
    ['fs.rename(PLAN_k-r2.json)#1:after', 'APPROVED'],
    ['sqlite.run(INSERT MissionSuperseded)#1:after', 'APPROVED'],
  ] as const) {
    it(`at ${point}: the revision does not run before the same approval has ended the mission`, async () => {
      const plan = bed.plan('k', [
        { script: `${start}fs.writeFileSync('docs/out/a.txt', 'a');` },
        { script: `${start}process.exit(7);` },
      ]);
      assert.equal((await bed.mission('run', plan)).code, 3);
      assert.equal((await bed.mission('plan', 'revise', 'k')).code, 0);
      const killed = await bed.spawn(process.execPath, ['--require', preload, cliFile, ...approve], {
        env: { ...bed.env, KILL_AT: point },
      }).ended;
      assert.equal(killed.signal, 'SIGKILL', killed.stdout + killed.stderr);
      assert.deepEqual([approved(), header()], [status, 'LOCKED']);
      const early = await bed.mission('run', revision);
      assert.equal(early.json.code, status === 'DRAFT' ? 'PLAN_INVALID' : 'MISSION_OPEN', early.stdout);

      const again = await bed.mission(...approve.slice(0, -1));
      assert.equal(again.code, 0, again.stdout + again.stderr);
      assert.deepEqual([approved(), header()], ['APPROVED', 'REPORTED']);
      bed.write('tools/k-T2.mjs', `${start}fs.writeFileSync('docs/out/b.txt', 'b');`);
      const done = await bed.mission('run', revision);
      assert.deepEqual([done.code, done.json.status], [0, 'completed'], done.stdout);
    });
  }
});
