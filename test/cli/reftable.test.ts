import assert from 'node:assert/strict';
import path from 'node:path';
import { withReftable, type Reftable } from '../support/reftable';
import { decision, start } from './cliBed';
import { LanesBed } from './lanesBed';

/** Whole missions in a repository whose refs lie in a reftable. */
describe('mission run in a repository with a reftable', function () {
  this.timeout(180_000);
  class ReftableBed extends LanesBed {
    searched: string | null = null;
    override get env(): NodeJS.ProcessEnv {
      const env = super.env;
      return this.searched === null ? env : { ...env, PATH: `${this.searched}${path.delimiter}${env['PATH'] ?? ''}` };
    }
  }
  let bed: ReftableBed;
  let made: Reftable;
  beforeEach(() => {
    bed = new ReftableBed();
    made = withReftable({ root: bed.root, scratch: bed.scratch, git: (...args) => bed.git(...args) });
    bed.searched = made.searched;
  });
  afterEach(() => bed.dispose());

  const work = `${start}fs.writeFileSync('docs/out/a', 'work');`;

  it('completes, and its evidence verifies', async () => {
    const run = await bed.mission('run', bed.plan('plain', [{ script: work }]));
    assert.equal(run.code, 0, run.stdout + run.stderr);
    assert.equal((await bed.mission('evidence', 'verify', 'plain')).code, 0);
  });

  it('blocks where HEAD was led to another branch, and goes on once a person accepts it', async () => {
    made.git('branch', 'other');
    const script = `${work}
import { execFileSync } from 'node:child_process';
execFileSync(${JSON.stringify(made.program)}, ['symbolic-ref', 'HEAD', 'refs/heads/other']);`;
    const run = await bed.mission('run', bed.plan('switched', [{ script }]));
    assert.deepEqual([run.code, run.json.code], [3, 'CONCURRENCY_CONFLICT'], run.stdout + run.stderr);
    assert.doesNotMatch(run.stdout, /The worker changed/);
    const [packet] = run.json.packets;
    assert.match(bed.read(packet!.path), /git \.git\/HEAD: moves a branch, a tag or HEAD/);
    const [block] = (await bed.view('switched')).blocks;
    const names = block?.acceptable.map(({ name }) => name) ?? [];
    assert.equal((await bed.mission('accept', 'switched', 'T1', ...names, ...decision)).code, 0);
    const again = await bed.mission('rerun-validation', 'switched', 'T1', ...decision);
    assert.equal(again.json.mission.status, 'completed', again.stdout);
  });
});
