import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import type { RecoveryPacket } from '../../src/contracts/recoveryPacket';
import { BusyDesk } from '../support/busyDesk';
import { decision } from './cliBed';
import { ConfinedBed } from './confinedBed';
import { gitIn } from './repository';

describe('a mission of three lanes beside a busy desk', function () {
  this.timeout(300_000);
  const lanes = ['a', 'b', 'c'];
  let bed: ConfinedBed;
  let desk: BusyDesk;
  beforeEach(async function () {
    bed = new ConfinedBed(this);
    desk = new BusyDesk({
      write: (name, content) => bed.write(name, content),
      append: (name, text) => appendFileSync(bed.at(name), text),
      git: (args, beside) => gitIn(beside === undefined ? bed.root : path.join(bed.scratch, beside), bed.scratch, args),
      beside: (name) => path.join(bed.scratch, name),
      async draft(id) {
        const drafted = await bed.mission('plan', 'new', id);
        assert.equal(drafted.code, 0, drafted.stdout + drafted.stderr);
      },
    });
    await desk.stage();
  });
  afterEach(() => bed.dispose());

  it('completes where its workers are confined, and counts the changes of others', async () => {
    const run = await runBeside('required');
    assert.equal(run.code, 0, run.stdout + run.stderr);
    for (const lane of lanes) {
      const changes = bed.evidence('busy', lane).attempts?.flatMap((attempt) => attempt.changes) ?? [];
      const accused = changes.filter(
        ({ attribution, path: file }) => attribution === 'worker' && !file.startsWith(`lanes/${lane}/`),
      );
      assert.deepEqual(accused, []);
    }
    const status = await bed.mission('status', 'busy');
    assert.match(status.stdout, /changes by others/);
    assert.equal((await bed.mission('evidence', 'verify', 'busy')).code, 0);
  });

  it('completes where each confined worker has one file, beside which editors leave theirs', async () => {
    const run = await runBeside(
      'required',
      (name) => [`lanes/${name}/done`, `lanes/${name}/pid`],
      (round) => {
        for (const name of lanes)
          for (const left of [`lanes/${name}/.done.swp`, `lanes/${name}/.DS_Store`]) bed.write(left, String(round));
      },
    );
    assert.equal(run.code, 0, run.stdout + run.stderr);
    for (const lane of lanes) {
      const changes = bed.evidence('busy', lane).attempts?.flatMap((attempt) => attempt.changes) ?? [];
      assert.ok(
        changes.some(({ path: file, attribution }) => file.endsWith('.swp') && attribution === 'external_change'),
        lane,
      );
    }
    assert.equal((await bed.mission('evidence', 'verify', 'busy')).code, 0);
  });

  it('completes or blocks where nothing confines them, names what changed, and goes on once a person accepts it', async () => {
    const run = await runBeside('off');
    assert.ok(run.code === 0 || run.code === 3, run.stdout + run.stderr);
    assert.doesNotMatch(run.stdout, /The worker changed/);
    for (const packet of run.json.packets) {
      const check = await bed.mission('check', 'recovery-packet', packet.path);
      assert.equal(check.code, 0, check.stdout);
      assert.match(bed.read(packet.path), /notes\.md|log\/dev\.log|\.git\/|\.idea|__pycache__|docs\/plans/);
      const { block } = JSON.parse(bed.read(packet.path)) as RecoveryPacket;
      assert.doesNotMatch(block.status ?? assert.fail(), /\.swp|\.DS_Store/);
    }
    // Each lane that blocked lists what it saw; what was written once more since then is asked once more.
    for (let round = 0; round < 3; round++) {
      for (const { acceptable, task_id } of (await bed.view('busy')).blocks) {
        const names = acceptable.map(({ name }) => name);
        // Nothing is left to accept where it is as before again.
        if (names.length > 0) {
          const accepted = await bed.mission('accept', 'busy', task_id, ...names, ...decision);
          assert.equal(accepted.code, 0, accepted.stdout + accepted.stderr);
        }
        await bed.mission('rerun-validation', 'busy', task_id, ...decision);
      }
    }
    const { status, blocks } = await bed.view('busy');
    assert.equal(status, 'completed', JSON.stringify(blocks));
    assert.equal((await bed.mission('evidence', 'verify', 'busy')).code, 0);
  });

  /** Runs the mission to its end; the desk works from before the workers write until after they are verified. */
  async function runBeside(
    confinement: string,
    pathsOf = (name: string): readonly string[] => [`lanes/${name}/`],
    alsoWrites: (round: number) => void = () => undefined,
  ) {
    const gate = JSON.stringify(bed.gateFile('go'));
    const tasks = lanes.map((name) => ({
      task_id: name,
      paths: pathsOf(name),
      script: `import fs from 'node:fs';
fs.mkdirSync('lanes/${name}', { recursive: true });
fs.writeFileSync('lanes/${name}/pid', String(process.pid));
while (!fs.existsSync(${gate})) await new Promise((go) => setTimeout(go, 20));
fs.writeFileSync('lanes/${name}/done', '${name}');
`,
      verify: [['node', '-e', '']],
    }));
    const plan = bed.parallel('busy', 3, tasks);
    const { ended } = bed.start('run', plan, '--confinement', confinement);
    await bed.pids(...lanes);
    await desk.workOnce(0);
    alsoWrites(0);
    await desk.nowAndThen(1);
    bed.open('go');
    const over = { yet: false };
    const atWork = desk.workUntil(over, (round) => {
      alsoWrites(round);
      return Promise.resolve();
    });
    try {
      return await ended;
    } finally {
      over.yet = true;
      await atWork;
    }
  }
});
