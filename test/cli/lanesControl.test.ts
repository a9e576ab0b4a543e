import assert from 'node:assert/strict';
import { cliFile, decision, isAlive, until } from './cliBed';
import { LanesBed } from './lanesBed';

/** What a person does to a mission of several lanes, and what is shown of it. */
describe('mission: a person and parallel lanes', function () {
  let bed: LanesBed;
  beforeEach(() => (bed = new LanesBed()));
  afterEach(() => bed.dispose());

  const waiting = (...names: readonly string[]) => names.map((name) => bed.lane(name, `await gate('go-${name}');`));
  /** Once every worker is shown as running, and does not only run. */
  const shown = (planId: string, count: number): Promise<unknown> =>
    until(async () => (await bed.view(planId)).lanes.filter(({ pid }) => pid !== null).length === count);
  const text = async (...args: readonly string[]): Promise<string> =>
    (await bed.spawn(process.execPath, [cliFile, ...args]).ended).stdout;

  it('shows every lane, as text and as a document; only its own task is stopped', async () => {
    const running = bed.start('run', bed.parallel('stop', 2, waiting('A', 'B', 'C')));
    const [a = 0, b = 0] = await bed.pids('A', 'B');
    await shown('stop', 2);
    const view = await bed.view('stop');
    assert.deepEqual(
      view.lanes.map(({ task_id, stage, pid }) => [task_id, stage, pid]),
      [
        ['A', 'running', a],
        ['B', 'running', b],
      ],
    );
    assert.equal(view.live?.task_id, 'A', 'the first lane, for readers that know one');
    const status = await text('status', 'stop');
    for (const [task, pid] of [
      ['A', a],
      ['B', b],
    ])
      assert.match(status, new RegExp(`live: ${task}, worker command, running, confined by nothing, process ${pid};`));

    const unclear = await bed.mission('stop', 'stop', ...decision);
    assert.notEqual(unclear.code, 0);
    assert.deepEqual([isAlive(a), isAlive(b)], [true, true], unclear.stdout);
    const stopped = await bed.mission('stop', 'stop', 'B', ...decision);
    assert.equal(stopped.code, 0, stopped.stderr + stopped.stdout);
    await bed.gone([b]);
    assert.equal(isAlive(a), true);
    await until(async () => (await bed.view('stop')).tasks[1]?.status === 'blocked');
    bed.open('go-A');
    const run = await running.ended;
    assert.deepEqual([run.code, run.json.tasks.map(({ status: at }) => at)], [3, ['done', 'blocked', 'todo']]);
    assert.deepEqual(
      run.json.packets.map(({ category }) => category),
      ['awaiting_user'],
    );

    for (const gate of ['go-B', 'go-C']) bed.open(gate);
    const retried = await bed.mission('retry', 'stop', 'B', ...decision);
    assert.deepEqual([retried.code, retried.json.mission.status], [0, 'completed'], retried.stderr);
    assert.equal((await bed.mission('evidence', 'verify', 'stop')).code, 0);
  });

  it('pauses when the lanes that run have ended, and nothing new starts meanwhile', async () => {
    const running = bed.start('run', bed.parallel('pause', 2, waiting('A', 'B', 'C')));
    await bed.pids('A', 'B');
    const paused = await bed.mission('pause', 'pause', ...decision);
    assert.equal(paused.code, 0, paused.stderr);
    bed.open('go-A');
    const between = await until(async () => {
      const view = await bed.view('pause');
      return bed.exists('docs/ops/executions/pause/TASK_A.json') && view.lanes.length === 1 && view;
    });
    assert.deepEqual([between.status, between.lanes.map(({ task_id }) => task_id)], ['running', ['B']]);
    bed.open('go-B');
    const run = await running.ended;
    assert.deepEqual([run.code, run.json.status, bed.runs().length], [3, 'paused', 2], run.stderr);
    bed.open('go-C');
    const resumed = await bed.mission('resume', 'pause', ...decision);
    assert.deepEqual([resumed.code, resumed.json.mission.status], [0, 'completed'], resumed.stderr);
  });

  it('cancels the mission with every lane', async () => {
    const running = bed.start('run', bed.parallel('cancel', 3, waiting('A', 'B', 'C', 'D')));
    const pids = await bed.pids('A', 'B', 'C');
    assert.equal((await bed.mission('cancel', 'cancel', ...decision)).code, 0);
    const run = await running.ended;
    assert.deepEqual([run.code, run.json.status, pids.map(isAlive)], [1, 'cancelled', [false, false, false]]);
    for (const task of ['A', 'B', 'C', 'D']) assert.equal(bed.evidence('cancel', task).status, 'SKIPPED');
    assert.equal((await bed.mission('evidence', 'verify', 'cancel')).code, 0);
  });

  it('pauses on Ctrl+C, lets go of all workers on the second one, and attaches to all on resume', async () => {
    const running = bed.start('run', bed.parallel('ctrlc', 2, waiting('A', 'B', 'C')));
    const pids = await bed.pids('A', 'B');
    await shown('ctrlc', 2);
    running.child.kill('SIGINT');
    await until(async () => (await bed.events('ctrlc')).some(({ type }) => type === 'PauseRequested'));
    running.child.kill('SIGINT');
    const run = await running.ended;
    assert.deepEqual([run.code, pids.map(isAlive)], [3, [true, true]]);
    assert.match(run.stderr, /go(es)? on under (its|their) supervisor/);
    for (const name of ['A', 'B', 'C']) bed.open(`go-${name}`);
    const resumed = await bed.mission('resume', 'ctrlc', ...decision);
    assert.deepEqual([resumed.code, resumed.json.mission.status], [0, 'completed'], resumed.stderr);
    assert.deepEqual([...bed.runs()].sort(), ['A', 'B', 'C']);
  });

  it('starts by priority, then as the plan lists them, and never more than the plan allows', async () => {
    const tasks = [
      bed.lane('A', '', { priority: 'low' }),
      bed.lane('B', ''),
      bed.lane('C', '', { priority: 'critical' }),
      bed.lane('D', '', { priority: 'high', depends_on: ['A'] }),
      bed.lane('E', '', { priority: 'high' }),
    ];
    const run = await bed.mission('run', bed.parallel('priority', 2, tasks));
    assert.equal(run.code, 0, run.stderr);
    assert.deepEqual(await bed.order('priority'), ['C', 'E', 'B', 'A', 'D']);
    let live = 0;
    for (const event of await bed.events('priority')) {
      if (event.type === 'AttemptStarted') live += 1;
      if (event.type === 'AttemptEnded') live -= 1;
      assert.ok(live <= 2);
    }
  });

  it('verifies one lane while the other one works, whichever ends first', async () => {
    bed.write('tools/check-A.mjs', `${bed.prelude('A')}write(own('checked')); await gate('go-check');`);
    bed.write('tools/check-B.mjs', `${bed.prelude('B')}write(own('checked'));`);
    const plan = bed.parallel('verify', 2, [
      bed.lane('A', '', { verify: [['node', 'tools/check-A.mjs']] }),
      bed.lane('B', `await until(() => fs.existsSync('lanes/A/checked'));`, {
        verify: [['node', 'tools/check-B.mjs']],
      }),
      bed.lane('C', `await until(() => fs.existsSync('lanes/B/checked'));`),
    ]);
    const running = bed.start('run', plan);
    // B worked, was observed and verified, and C worked, all while A was being verified.
    const lanes = await until(async () => {
      const view = await bed.view('verify');
      return bed.exists('docs/ops/executions/verify/TASK_C.json') && view.lanes.length === 1 && view.lanes;
    });
    assert.deepEqual(
      lanes.map(({ task_id, purpose }) => [task_id, purpose]),
      [['A', 'verify']],
    );
    bed.open('go-check');
    const run = await running.ended;
    assert.deepEqual([run.code, run.json.status], [0, 'completed'], run.stderr);
    for (const task of ['A', 'B', 'C']) assert.equal(bed.evidence('verify', task).status, 'SUCCESS');
    assert.equal((await bed.mission('evidence', 'verify', 'verify')).code, 0);
  });

  /** LANES_ROUNDS=20 for more. */
  const rounds = Number(process.env['LANES_ROUNDS'] ?? 3);
  it(`eight short tasks in four lanes, ${rounds} times: evidence beside observation is no violation`, async function () {
    this.timeout(60_000 * rounds);
    const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];
    const tasks = names.map((name) =>
      bed.lane(
        name,
        `for (const file of ['x', 'y', 'z']) { write(own(file)); fs.renameSync(own(file), own(file + '.txt')); }
fs.rmSync(own('y.txt'));`,
      ),
    );
    for (let round = 1; round <= rounds; round += 1) {
      const planId = `short-${round}`;
      const run = await bed.mission('run', bed.parallel(planId, 4, tasks));
      const found = names.flatMap((name) => {
        const file = `docs/ops/executions/${planId}/TASK_${name}.json`;
        return bed.exists(file) ? (bed.evidence(planId, name).attempts ?? []).flatMap(({ changes }) => changes) : [];
      });
      const wrong = found.filter(({ attribution, violation }) => attribution !== 'worker' || violation !== null);
      assert.deepEqual(wrong, [], `${planId}: ${run.stderr}`);
      assert.deepEqual([run.code, run.json.status], [0, 'completed'], `${planId}: ${run.stderr}`);
      assert.equal((await bed.mission('evidence', 'verify', planId)).code, 0);
    }
  });
});
