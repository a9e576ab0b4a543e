import assert from 'node:assert/strict';
import { CliBed, start } from './cliBed';
import { skipWithReason } from '../support/skip';

/** The process that runs the superseded mission is there, and does not answer. */
describe('mission plan approve of a revision, with an owner that is stopped', function () {
  let bed: CliBed;
  before(function () {
    if (process.platform === 'win32') skipWithReason(this, 'there is no SIGSTOP');
  });
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  it('writes nothing, says which process it is and what to do; when it goes on, the same command finishes', async () => {
    const plan = bed.plan('s', [
      { script: `${start}fs.writeFileSync('docs/out/a.txt', 'a');` },
      { script: `${start}${bed.waitAt('gate')}`, depends_on: ['T1'] },
    ]);
    const running = bed.start('run', plan);
    await bed.waitsAt('gate');
    const revision = 'docs/plans/PLAN_s-r2.json';
    running.child.kill('SIGSTOP');
    try {
      const revised = await bed.mission('plan', 'revise', 's');
      assert.equal(revised.code, 0, revised.stdout);
      assert.match(revised.stderr, /has not taken that a person wrote docs\/plans\/PLAN_s-r2\.json/);
      const before = bed.read(revision);
      const silent = await bed.mission('plan', 'approve', revision, '--by', 'Grace', '--yes');
      assert.deepEqual([silent.code, silent.json.code], [4, 'LEASE_HELD'], silent.stdout);
      assert.match(
        silent.json.reason,
        new RegExp(
          `^Nothing was written\\. The missions of this folder are run by .*process ${running.child.pid}.* It does not answer\\.$`,
        ),
      );
      assert.match(silent.json.next.join('\n'), /repeat the command.*^To stop every worker/ms);
      assert.equal(bed.read(revision), before, 'it is still the draft');
      assert.equal((await bed.mission('run', revision)).json.code, 'LEASE_HELD');
    } finally {
      running.child.kill('SIGCONT');
    }
    const approved = await bed.mission('plan', 'approve', revision, '--by', 'Grace', '--yes');
    assert.equal(approved.code, 0, approved.stdout + approved.stderr);
    assert.equal((await running.ended).json.code, 'SUPERSEDED');
    const approvals = (await bed.events('s')).filter(({ type }) => type === 'MissionSuperseded');
    assert.equal(approvals.length, 1, 'what was not answered was not done as well');
  });
});
