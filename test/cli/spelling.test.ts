import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { CliBed, start } from './cliBed';

/** Plan ids name folders, and on many machines `P1` and `p1` are one folder: they are one id on all of them. */
describe('plan ids that differ in the case of letters', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const script = `${start} fs.writeFileSync('docs/out/a.txt', 'a');`;
  const refuses = async (...args: string[]): Promise<void> => {
    const refused = await bed.mission(...args);
    assert.deepEqual([refused.code, refused.json.code], [2, 'PLAN_ID_REUSED'], refused.stdout);
    assert.match(refused.json.reason, /\bp1\b/);
    assert.ok(!bed.exists('docs/ops/executions/P1'));
  };

  it('are one: the second is refused, with the spelling of the first', async () => {
    assert.equal((await bed.mission('run', bed.plan('p1', [{ script }]))).code, 0);
    const plan = bed.plan('P1', [{ script }]);
    await refuses('run', plan);
    await refuses('orch', 'start', '--plan', plan);
    // The journal alone knows the mission, then the evidence alone.
    renameSync(bed.at('docs/ops'), bed.at('docs/moved'));
    await refuses('run', plan);
    await refuses('orch', 'start', '--plan', plan);
    renameSync(bed.at('docs/moved'), bed.at('docs/ops'));
    renameSync(bed.at('.mission-control'), `${bed.scratch}/journal`);
    await refuses('run', plan);
    await refuses('orch', 'start', '--plan', plan);
  });
});
