import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import process from 'node:process';
import { skipWithReason } from '../support/skip';
import { start } from './cliBed';
import { ConfinedBed } from './confinedBed';

const guest = 65_534;

describe('a mission of root in a workspace that another user owns', function () {
  this.timeout(120_000);
  let bed: ConfinedBed;
  beforeEach(function () {
    if (process.getuid?.() !== 0) skipWithReason(this, 'only root works in what another user owns');
    bed = new ConfinedBed(this, 'root');
  });
  afterEach(() => bed.dispose());

  for (const confinement of ['required', 'off'])
    it(`completes; what was there stays its owner's, also where it is changed (confinement ${confinement})`, async () => {
      bed.write('docs/out/there.txt', 'before\n');
      bed.write('docs/out/closed/inner.txt', 'before\n');
      const script = `${start}
fs.appendFileSync('docs/out/there.txt', 'changed\\n');
fs.appendFileSync('docs/out/closed/inner.txt', 'changed\\n');
fs.writeFileSync('docs/out/new.txt', 'new\\n');`;
      const verify = [['node', '-e', "require('fs').accessSync('docs/out/new.txt')"]];
      const plan = bed.plan('guest', [{ script, verify }]);
      // Only its owner may enter: root does by its rights over files.
      execFileSync('chmod', ['700', bed.at('docs/out/closed')]);
      execFileSync('chown', ['-Rh', `${guest}:${guest}`, bed.root]);
      const before = owners(bed.root);
      const run = await bed.mission('run', plan, '--confinement', confinement);
      assert.equal(run.code, 0, run.stdout + run.stderr);
      assert.equal(bed.read('docs/out/closed/inner.txt'), 'before\nchanged\n');
      const after = owners(bed.root);
      for (const [name, uid] of before) assert.equal(after.get(name), uid, name);
      for (const name of ['docs/out/new.txt', 'docs/ops/executions/guest/TASK_T1.json'])
        assert.equal(after.get(name), 0, `${name} is of who made it`);
      const launch = bed.evidence('guest', 'T1').attempts?.[0]?.launches[0];
      assert.equal(launch?.confinement, confinement === 'required' ? 'task_sandbox' : 'none');
      assert.equal((await bed.mission('evidence', 'verify', 'guest')).code, 0);
    });
});

/** The owner of everything in the workspace, by its path. */
function owners(root: string): ReadonlyMap<string, number> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return new Map(names.map((name) => [name, lstatSync(`${root}/${name}`).uid]));
}
