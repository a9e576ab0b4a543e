import assert from 'node:assert/strict';
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { CliBed } from './cliBed';
import { serve } from './servedBed';

describe('a workspace that came with a finished mission of another user', function () {
  this.timeout(120_000);
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  it('is confirmed by no journal, also where only the file says that the plan is approved', async () => {
    const plan = bed.plan('filed', [{ command: ['node', '-e', ''], verify: [['node', '-e', '']] }]);
    const run = await bed.mission('run', plan, '--confinement', 'off');
    assert.equal(run.json.status, 'completed', run.stdout + run.stderr);
    const own = await bed.mission('evidence', 'verify', 'filed');
    assert.deepEqual([own.code, own.json.findings], [0, []], own.stdout);
    const came = await bed.spawn(process.execPath, [path.resolve('dist/cli.js'), 'evidence', 'verify', 'filed'], {
      env: { ...bed.env, HOME: bed.scratch + '/another' },
    }).ended;
    assert.deepEqual([came.code, came.stdout.includes('info JOURNAL_FOREIGN')], [0, true], came.stdout);
  });

  it('is confirmed by no journal: verification and status say that it was approved elsewhere', async () => {
    const draft = { approval: { required: true }, status: 'PENDING_APPROVAL' };
    const plan = bed.plan('came', [{ command: ['node', '-e', ''], verify: [['node', '-e', '']] }], {}, draft);
    const approved = await bed.mission('plan', 'approve', plan, '--by', 'Ada', '--yes');
    assert.equal(approved.code, 0, approved.stdout + approved.stderr);
    const run = await bed.mission('run', plan, '--confinement', 'off');
    assert.equal(run.json.status, 'completed', run.stdout + run.stderr);
    const another = path.join(bed.scratch, 'another');
    mkdirSync(another);
    const says = async (home: string, ...args: string[]): Promise<string> => {
      const { code, stdout } = await bed.spawn(process.execPath, [path.resolve('dist/cli.js'), ...args], {
        env: { ...bed.env, HOME: home },
      }).ended;
      assert.equal(code, 0, stdout);
      return stdout;
    };
    for (const [home, foreign] of [
      [bed.scratch, false],
      [another, true],
    ] as const) {
      const verified = await says(home, 'evidence', 'verify', 'came');
      assert.equal(verified.includes('info JOURNAL_FOREIGN'), foreign, verified);
      const status = await says(home, 'status', 'came');
      assert.match(status, foreign ? /approved elsewhere, as this journal says, by Ada/ : /approved here by Ada/);
      assert.equal(status.includes('approved here'), !foreign, status);
    }
    const copy = path.join(bed.scratch, 'copy');
    cpSync(bed.root, copy, { recursive: true });
    const copied = await says(bed.scratch, 'status', 'came', '--workspace', copy);
    assert.match(copied, /approved elsewhere, as this journal says, by Ada/);
    for (const [place, head] of [
      [bed.root, '"standing":"good","text":"Approved by Ada"'],
      [copy, '"standing":"plain","text":"Approved elsewhere by Ada"'],
    ] as const) {
      const served = await serve(bed, '--workspace', place);
      const panel = await served.follow('/panel');
      const { data } = await panel.sees((snapshot) => snapshot.data.includes('"trust"'));
      assert.ok(data.includes(`"approved":{${head}`), data);
      assert.equal(data.includes('"elsewhere":true'), place === copy);
      served.kill('SIGINT');
      assert.equal((await served.ended).code, 0);
    }
  });
});
