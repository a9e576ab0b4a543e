import assert from 'node:assert/strict';
import { CliBed, start } from './cliBed';

describe('a stray write of a worker that no sandbox holds', function () {
  this.timeout(180_000);
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  it('stops the task while it runs, without an editor that watches the files', async () => {
    const script = `${start}fs.writeFileSync('docs/out/a', 'a');
fs.writeFileSync('stray.txt', 'x');
setTimeout(() => fs.writeFileSync('docs/out/late', 'x'), 150_000);`;
    const run = await bed.mission('run', bed.plan('stray', [{ script }]), '--confinement', 'off', '--json');
    assert.equal(run.json.status, 'blocked', run.stdout + run.stderr);
    assert.match(run.stdout, /"code": "CONCURRENCY_CONFLICT"/);
    const packet = /"path": "([^"]+)"/.exec(run.stdout)?.[1] ?? '';
    assert.match(bed.read(packet), /The worker was stopped once two looks ten seconds apart had shown this/);
    assert.equal(bed.exists('docs/out/late'), false);
  });
});
