import assert from 'node:assert/strict';
import { CliBed } from './cliBed';
import { serve } from './servedBed';

/** The server reads and nothing more, so its end is no event for a mission. */
describe('mission events serve, killed', () => {
  let bed: CliBed;
  beforeEach(() => {
    bed = new CliBed();
  });
  afterEach(() => bed.dispose());

  it('leaves the mission alone, and another one serves everything from the start', async () => {
    const served = await serve(bed);
    const client = await served.follow('/events');
    const script = `import fs from 'node:fs'; fs.mkdirSync('docs/out', { recursive: true }); ${bed.waitAt('gate')} fs.writeFileSync('docs/out/a.md', 'a');`;
    const run = bed.start('run', bed.plan('ALONE', [{ script }]), '--by', 'Ada');
    await client.sees(({ data }) => data.includes('"WorkerStarted"'));
    await bed.waitsAt('gate');
    served.kill('SIGKILL');
    assert.equal((await served.ended).signal, 'SIGKILL');
    await client.gone;
    bed.open('gate');
    assert.equal((await run.ended).code, 0);

    const missionId = await bed.missionId();
    const { length } = await bed.events(missionId);
    const other = await serve(bed);
    const all = await (await other.follow('/events?from=start')).has(length);
    assert.deepEqual(
      all.map(({ id }) => id),
      Array.from({ length }, (_, index) => `${missionId}:${index + 1}`),
    );
    // While it serves, another mission of the folder runs as if it were not there.
    const next = await bed.mission(
      'run',
      bed.plan('NEXT', [{ script: `import fs from 'node:fs'; fs.writeFileSync('docs/out/b.md', 'b');` }]),
      '--by',
      'Ada',
    );
    assert.equal(next.code, 0, next.stdout + next.stderr);
    other.kill('SIGTERM');
    assert.equal((await other.ended).code, 0);
  });
});
