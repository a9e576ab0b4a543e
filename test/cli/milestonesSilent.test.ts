import assert from 'node:assert/strict';
import { AgentBed } from './agentBed';
import { decision } from './cliBed';

const unit = 'validate-M1';
/** Fails at once; with the file it never ends. */
const waitsForever = `if (!require('node:fs').existsSync('waits')) process.exit(1); setInterval(() => {}, 1000)`;

const writesOne = `import fs from 'node:fs'; fs.mkdirSync('docs/out', { recursive: true }); fs.writeFileSync('docs/out/a', 'one');`;

/** A command that validates a milestone and never ends: `dist/cli.js` as real processes. */
describe('milestones: a validator that does not answer', function () {
  this.timeout(120_000);
  let bed: AgentBed;
  beforeEach(() => {
    bed = new AgentBed([]);
  });
  afterEach(() => bed.dispose());

  it('is ended at the limit, blocks the milestone with a packet, and its steps are taken', async () => {
    const file = bed.plan(
      'silent',
      [
        {
          task_id: 'T1',
          milestone: 'M1',
          script: writesOne,
        },
      ],
      { confinement: 'off' },
      { milestones: [{ id: 'M1', title: 'The first half', validate: { verify: [['node', '-e', waitsForever]] } }] },
    );
    const first = await bed.mission('run', file);
    assert.deepEqual(
      first.json.tasks.map(({ status }) => status),
      ['done', 'blocked'],
      first.stdout + first.stderr,
    );
    const limit = ['--task', unit, '--set', 'max_runtime_seconds=2', ...decision];
    const revised = await bed.mission('packet', 'revise', 'silent', ...limit);
    assert.equal(revised.code, 0, revised.stdout);

    bed.write('waits', '');
    const blocked = await bed.mission('retry', 'silent', unit, ...decision);
    assert.equal(blocked.code, 3, blocked.stdout + blocked.stderr);
    const shown = (await bed.mission('status', 'silent')).stdout;
    assert.match(shown, /did not end within 2 s, which is the limit of its task\./);
    assert.match(shown, /mission packet revise \S+ --task validate-M1 --set max_runtime_seconds=4 /);
    assert.match(shown, /mission skip \S+ validate-M1 /);
    const packets = await bed.mission('packet', 'list', 'silent');
    const packet = /silent-[\w-]+\.p2/.exec(packets.stdout)?.[0] ?? '';
    assert.notEqual(packet, '', packets.stdout);

    const again = await bed.mission('packet', 'resolve', packet, '--outcome', 'retry-repair', ...decision);
    assert.equal(again.code, 3, again.stdout + again.stderr);
    assert.match((await bed.mission('packet', 'list', 'silent')).stdout, /silent-[\w-]+\.p3/);
    const left = await bed.mission('skip', 'silent', unit, '--yes', ...decision);
    assert.equal(left.code, 0, left.stdout + left.stderr);
  });
});
