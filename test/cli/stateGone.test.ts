import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { CliBed, start } from './cliBed';

/** `.mission-control` replaced by a file: an answer with a code, never a stack trace. */
describe('a state folder that is none', function () {
  this.timeout(120_000);
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  it('is a coded answer of every command', async () => {
    const plan = bed.plan('gone', [{ script: `${start} fs.writeFileSync('docs/out/a.txt', 'a');` }]);
    assert.equal((await bed.mission('run', plan)).code, 0);
    const mission = await bed.missionId();
    renameSync(bed.at('.mission-control'), `${bed.scratch}/moved`);
    writeFileSync(bed.at('.mission-control'), 'no folder');
    const by = ['--by', 'Grace', '--reason', 'because'];
    const results = await Promise.all(
      [
        ['run', plan],
        ['status'],
        ['list'],
        ['packet', 'list'],
        ['journal', 'verify'],
        ['evidence', 'verify', 'gone'],
        ['clean'],
        ['doctor'],
        ['pause', mission, ...by],
        ['resume', mission, ...by],
        ['cancel', mission, ...by],
      ].map(async (args) => ({ args, ended: await bed.mission(...args) })),
    );
    for (const { args, ended } of results) {
      assert.ok(!/^ {4}at /m.test(ended.stderr), `${args.join(' ')}: ${ended.stderr}`);
      assert.notEqual((ended.json as Partial<typeof ended.json>).code, 'UNEXPECTED', args.join(' '));
    }
  });
});
