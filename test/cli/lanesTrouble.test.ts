import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { decision, isAlive, until } from './cliBed';
import { LanesBed } from './lanesBed';

/** Lanes that block, fail, time out, are retried, handed over or cancelled while others run. */
describe('mission: trouble in one of several lanes', () => {
  let bed: LanesBed;
  beforeEach(() => (bed = new LanesBed()));
  afterEach(() => bed.dispose());

  const waiting = (name: string): ReturnType<LanesBed['lane']> => bed.lane(name, `await gate('go-${name}');`);
  /** Exits with 7 until its gate is open. */
  const failing = (name: string): ReturnType<LanesBed['lane']> =>
    bed.lane(name, `if (!fs.existsSync(outside('go-${name}'))) process.exit(7);`);
  const statuses = async (planId: string): Promise<readonly string[]> =>
    (await bed.view(planId)).tasks.map(({ status }) => status);
  /** The process that runs the mission gets there by itself, however long it takes. */
  const become = (planId: string, ...expected: readonly string[]): Promise<boolean> =>
    until(async () => isDeepStrictEqual(await statuses(planId), expected));

  it('a blocked lane is retried while another one still runs; then what waited starts', async () => {
    const running = bed.start('run', bed.parallel('again', 2, [waiting('A'), failing('B'), bed.lane('C', '')]));
    await bed.pids('A');
    await until(async () => (await bed.view('again')).blocks.some(({ packet_path }) => packet_path !== null));
    // The block is handed over, with A at work.
    await until(async () => (await bed.events('again')).some(({ type }) => type === 'HandoffWritten'));
    assert.deepEqual(await statuses('again'), ['in_progress', 'blocked', 'todo']);
    bed.open('go-B');
    const retried = await bed.mission('retry', 'again', 'B', ...decision);
    assert.equal(retried.code, 0, retried.stderr + retried.stdout);
    await become('again', 'in_progress', 'done', 'done');
    bed.open('go-A');
    const run = await running.ended;
    assert.deepEqual([run.code, run.json.status], [0, 'completed'], run.stderr);
    assert.deepEqual(await bed.order('again'), ['A', 'B', 'B', 'C']);
    assert.equal((await bed.mission('evidence', 'verify', 'again')).code, 0);
  });

  it('two lanes block, each with its packet; both are tried again', async () => {
    const blocked = await bed.mission('run', bed.parallel('both', 2, [failing('A'), failing('B'), bed.lane('C', '')]));
    assert.deepEqual([blocked.code, blocked.json.status], [3, 'blocked'], blocked.stderr);
    const { packets } = blocked.json;
    assert.equal(new Set(packets.map(({ packet_id }) => packet_id)).size, 2);
    for (const { path: file } of packets) assert.equal(bed.exists(file), true);
    for (const name of ['A', 'B']) bed.open(`go-${name}`);
    const first = await bed.mission('retry', 'both', 'A', ...decision);
    assert.deepEqual([first.code, first.json.mission.status], [3, 'blocked'], first.stderr);
    assert.deepEqual(await statuses('both'), ['done', 'blocked', 'todo']);
    const second = await bed.mission('retry', 'both', 'B', ...decision);
    assert.deepEqual([second.code, second.json.mission.status], [0, 'completed'], second.stderr);
    assert.equal((await bed.mission('evidence', 'verify', 'both')).code, 0);
  });

  it('with on_block "fail" one block ends the mission; the others are stopped and SKIPPED', async () => {
    const plan = bed.parallel(
      'strict',
      2,
      [waiting('A'), bed.lane('B', `await until(() => fs.existsSync('lanes/A/pid')); process.exit(7);`), waiting('C')],
      { on_block: 'fail' },
    );
    const running = bed.start('run', plan);
    const [pid = 0] = await bed.pids('A');
    const run = await running.ended;
    assert.deepEqual([run.code, run.json.status, isAlive(pid)], [1, 'failed', false], run.stderr);
    assert.deepEqual(
      ['A', 'B', 'C'].map((task) => bed.evidence('strict', task).status),
      ['SKIPPED', 'FAILED', 'SKIPPED'],
    );
    assert.equal((await bed.mission('evidence', 'verify', 'strict')).code, 0);
  });

  it('a deadline ends its own lane only', async () => {
    const plan = bed.parallel('deadline', 2, [waiting('A'), { ...waiting('B'), max_runtime_seconds: 2 }]);
    const running = bed.start('run', plan);
    const [a = 0, b = 0] = await bed.pids('A', 'B');
    await bed.gone([b]);
    assert.equal(isAlive(a), true);
    await until(async () => (await statuses('deadline'))[1] === 'blocked');
    bed.open('go-A');
    const run = await running.ended;
    assert.deepEqual([run.code, run.json.tasks.map(({ status }) => status)], [3, ['done', 'blocked']], run.stderr);
    assert.deepEqual(
      run.json.packets.map(({ category }) => category),
      ['task_timeout'],
    );
  });

  it('a pause that is taken back before the lanes have ended starts the next one at once', async () => {
    const running = bed.start('run', bed.parallel('back', 2, [waiting('A'), waiting('B'), waiting('C')]));
    await bed.pids('A', 'B');
    assert.equal((await bed.mission('pause', 'back', ...decision)).code, 0);
    bed.open('go-A');
    await until(() => bed.exists('docs/ops/executions/back/TASK_A.json'));
    const resumed = await bed.mission('resume', 'back', ...decision);
    assert.equal(resumed.code, 0, resumed.stderr + resumed.stdout);
    await bed.pids('C');
    for (const name of ['B', 'C']) bed.open(`go-${name}`);
    const run = await running.ended;
    assert.deepEqual([run.code, run.json.status], [0, 'completed'], run.stderr);
  });

  it('a mission without an owner is cancelled with all its lanes', async () => {
    const running = bed.start('run', bed.parallel('orphans', 3, [waiting('A'), waiting('B'), waiting('C')]));
    const pids = await bed.pids('A', 'B', 'C');
    running.child.kill('SIGKILL');
    await running.ended;
    const cancelled = await bed.mission('cancel', 'orphans', ...decision);
    assert.deepEqual([cancelled.code, cancelled.json.mission.status], [0, 'cancelled'], cancelled.stderr);
    assert.deepEqual(pids.map(isAlive), [false, false, false]);
    for (const task of ['A', 'B', 'C']) assert.equal(bed.evidence('orphans', task).status, 'SKIPPED');
    assert.equal((await bed.mission('evidence', 'verify', 'orphans')).code, 0);
  });

  it('is exported while lanes work, and moved only when none does', async () => {
    bed.git('add', '.');
    const running = bed.start('run', bed.parallel('moved', 2, [waiting('A'), waiting('B'), waiting('C')]));
    const pids = await bed.pids('A', 'B');
    const copy = await bed.mission('handoff', 'export', 'moved', ...decision);
    assert.equal(copy.code, 0, copy.stderr + copy.stdout);
    const refused = await bed.mission('handoff', 'export', 'moved', '--move', ...decision);
    assert.deepEqual([refused.code, refused.json.code], [2, 'MISSION_ACTIVE']);
    assert.deepEqual(pids.map(isAlive), [true, true]);
    assert.equal((await bed.mission('pause', 'moved', ...decision)).code, 0);
    for (const name of ['A', 'B']) bed.open(`go-${name}`);
    const run = await running.ended;
    assert.deepEqual([run.code, run.json.status], [3, 'paused'], run.stderr);
    const moved = await bed.mission('handoff', 'export', 'moved', '--move', ...decision);
    assert.equal(moved.code, 0, moved.stderr + moved.stdout);
    assert.deepEqual(await statuses('moved'), ['done', 'done', 'canceled']);
    assert.deepEqual(bed.runs().length, 2);
  });

  it('the result of a blocked lane is validated once more while another one writes and a third has ended', async () => {
    bed.write('tools/check.mjs', `${bed.prelude('B')}if (!fs.existsSync(outside('go-check'))) process.exit(1);`);
    const plan = bed.parallel('judged', 3, [
      bed.lane(
        'A',
        `let n = 0; await until(() => { write(own('n' + (n % 3)), String(n++)); return fs.existsSync(outside('go-A')); });`,
      ),
      bed.lane('B', '', { verify: [['node', 'tools/check.mjs']] }),
      bed.lane('C', `await gate('go-C'); write(own('late'));`),
      bed.lane('D', ''),
    ]);
    const running = bed.start('run', plan);
    const block = await until(async () =>
      (await bed.view('judged')).blocks.find(({ packet_path }) => packet_path !== null),
    );
    assert.deepEqual([block.task_id, block.category], ['B', 'verification_failed']);
    bed.open('go-C');
    await until(() => bed.exists('docs/ops/executions/judged/TASK_C.json'));
    bed.open('go-check');
    const again = ['packet', 'resolve', block.packet_id, '--outcome', 'rerun-validation', ...decision];
    const resolved = await bed.mission(...again);
    assert.equal(resolved.code, 0, resolved.stderr + resolved.stdout);
    await become('judged', 'in_progress', 'done', 'done', 'done');
    bed.open('go-A');
    const run = await running.ended;
    assert.deepEqual([run.code, run.json.status], [0, 'completed'], run.stderr);
    assert.equal(bed.runs().filter((name) => name === 'B').length, 3, 'the worker once, the check twice');
    assert.equal((await bed.mission('evidence', 'verify', 'judged')).code, 0);
  });

  it('a file that a verify command writes in no lock blocks the finding lane until a person accepts it', async () => {
    bed.write('tools/check.mjs', `import fs from 'node:fs'; fs.writeFileSync('report.txt', 'r');`);
    const plan = bed.parallel('report', 2, [
      bed.lane('A', '', { verify: [['node', 'tools/check.mjs']] }),
      bed.lane('B', `await until(() => fs.existsSync('docs/ops/executions/report/TASK_A.json'));`),
    ]);
    const run = await bed.mission('run', plan);
    assert.deepEqual([run.code, run.json.status], [3, 'blocked'], run.stderr);
    assert.deepEqual(
      run.json.packets.map(({ category }) => category),
      ['external_change'],
    );
    const retried = await bed.mission('retry', 'report', 'B', ...decision);
    assert.deepEqual([retried.code, retried.json.mission.status], [3, 'blocked'], retried.stderr);
    const accepted = await bed.mission('accept', 'report', 'B', 'report.txt', ...decision);
    assert.equal(accepted.code, 0, accepted.stdout);
    const again = await bed.mission('retry', 'report', 'B', ...decision);
    assert.deepEqual([again.code, again.json.mission.status], [0, 'completed'], again.stderr);
    assert.deepEqual(
      bed.evidence('report', 'B').attempts?.map(({ outcome, launches }) => [outcome, launches.length]),
      [
        ['HALT', 1],
        ['HALT', 0],
        ['PASS', 1],
      ],
    );
    assert.deepEqual(
      bed.evidence('report', 'A').attempts?.[0]?.verify_changes?.changes.map(({ path, blocks }) => [path, blocks]),
      [['report.txt', null]],
    );
    assert.equal((await bed.mission('evidence', 'verify', 'report')).code, 0);
  });
});
