import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { skipWithReason } from '../support/skip';
import { cliFile, decision, isAlive, until } from './cliBed';
import { LanesBed } from './lanesBed';

const preload = path.resolve('dist-test/kill/points.program.js');

/** Missions of several lanes with real processes: side by side, each with its own lock, observation and end. */
describe('mission: parallel lanes', function () {
  let bed: LanesBed;
  beforeEach(() => (bed = new LanesBed()));
  afterEach(() => bed.dispose());

  it('runs three tasks at the same time; each lane answers for its own paths', async () => {
    const meet = (...others: readonly string[]): string =>
      `await until(() => ${JSON.stringify(others)}.every((other) => fs.existsSync(path.join('lanes', other, 'pid'))));
write(own('met')); await until(() => ${JSON.stringify(others)}.every((other) => fs.existsSync(path.join('lanes', other, 'met')))); await gate('seen');`;
    const plan = bed.parallel('three', 3, [
      bed.lane('A', meet('B', 'C')),
      bed.lane('B', meet('A', 'C')),
      bed.lane('C', meet('A', 'B')),
    ]);
    const running = bed.start('run', plan);
    const id = await bed.missionId();
    // The journal names only the end of one that ends before its owner has seen it run.
    await until(async () => (await bed.events(id)).filter(({ type }) => type === 'WorkerStarted').length === 3);
    bed.open('seen');
    const run = await running.ended;
    assert.deepEqual([run.code, run.json.status], [0, 'completed'], run.stderr);
    assert.equal((await bed.mission('evidence', 'verify', 'three')).code, 0);
    for (const what of ['Worker started as process', 'Worker ended'])
      assert.deepEqual(
        run.stderr
          .split('\n')
          .filter((line) => line.includes(what))
          .map((line) => / ([ABC]): /.exec(line)?.[1])
          .sort(),
        ['A', 'B', 'C'],
        run.stderr,
      );
    const { events } = await bed.view('three');
    assert.ok(events.filter(({ type }) => type === 'WorkerEnded').every(({ text }) => /^[ABC]: /.test(text)));
    const launches = ['A', 'B', 'C'].map((task) => {
      const { attempts = [], status } = bed.evidence('three', task);
      assert.deepEqual([status, attempts.length], ['SUCCESS', 1]);
      const [attempt] = attempts;
      assert.deepEqual(attempt?.changes.map(({ path: file }) => file).sort(), [
        `lanes/${task}/met`,
        `lanes/${task}/pid`,
      ]);
      for (const other of ['A', 'B', 'C'].filter((name) => name !== task))
        assert.ok(
          attempt.not_observed.some((text) => text.startsWith(`lanes/${other}`) && text.includes(`task ${other}`)),
          attempt.not_observed.join('\n'),
        );
      return attempt.launches[0]!;
    });
    const begun = Math.max(...launches.map(({ started_at }) => Date.parse(started_at ?? '')));
    const ended = Math.min(...launches.map(({ ended_at }) => Date.parse(ended_at ?? '')));
    assert.ok(begun < ended, 'the last one had started before the first one ended');
  });

  it('lets the next owner attach to all workers after kill -9; no worker is started twice', async () => {
    const tasks = ['A', 'B', 'C'].map((name) => bed.lane(name, `await gate('go');`));
    const running = bed.start('run', bed.parallel('killed', 3, tasks));
    const pids = await bed.pids('A', 'B', 'C');
    const id = await bed.missionId();
    await until(async () => (await bed.view(id)).lanes.every(({ pid }) => pid !== null));
    running.child.kill('SIGKILL');
    assert.equal((await running.ended).signal, 'SIGKILL');
    assert.deepEqual(pids.map(isAlive), [true, true, true]);
    const left = await bed.view(id);
    assert.deepEqual([left.interrupted, left.lanes.map(({ task_id }) => task_id)], [true, ['A', 'B', 'C']]);

    const resuming = bed.start('resume', id, ...decision);
    await until(async () => (await bed.events(id)).some(({ type }) => type === 'OwnerResumed'));
    bed.open('go');
    const resumed = await resuming.ended;
    assert.deepEqual([resumed.code, resumed.json.mission.status], [0, 'completed'], resumed.stderr);
    assert.deepEqual([...bed.runs()].sort(), ['A', 'B', 'C']);
    const found = (await bed.events(id)).filter((event) => event.type === 'OwnerResumed');
    assert.equal(found.length, 1);
    assert.deepEqual(
      found[0]?.tasks.map(({ task_id, standing }) => [task_id, standing]),
      [
        ['A', 'supervised'],
        ['B', 'supervised'],
        ['C', 'supervised'],
      ],
    );
    assert.deepEqual(
      resumed.json.mission.tasks.map(({ attempts }) => attempts),
      [1, 1, 1],
    );
    assert.equal((await bed.mission('evidence', 'verify', 'killed')).code, 0);
  });

  it('after the death of the owner each lane ends by what happened to it', async () => {
    const plan = bed.parallel('fates', 3, [
      bed.lane('A', `await gate('go-A');`),
      bed.lane('B', `await gate('go-B');`),
      bed.lane('C', `await gate('go-C');`),
    ]);
    const running = bed.start('run', plan);
    const [ended = 0, orphan = 0, alive = 0] = await bed.pids('A', 'B', 'C');
    const id = await bed.missionId();
    await until(async () => (await bed.view(id)).lanes.every(({ pid }) => pid !== null));
    running.child.kill('SIGKILL');
    await running.ended;
    bed.open('go-A');
    const supervisors = ['A', 'B'].map((task) => bed.processOf(task).supervisor.pid);
    process.kill(supervisors[1]!, 'SIGKILL');
    await bed.gone([ended, ...supervisors]);
    assert.deepEqual([isAlive(orphan), isAlive(alive)], [true, true]);

    const resuming = bed.start('resume', id, ...decision);
    await bed.gone([orphan]);
    await until(async () => (await bed.view(id)).tasks[1]?.status === 'blocked');
    bed.open('go-C');
    const resumed = await resuming.ended;
    assert.deepEqual([resumed.code, resumed.json.mission.status], [3, 'blocked'], resumed.stderr);
    assert.deepEqual(
      resumed.json.mission.tasks.map(({ status }) => status),
      ['done', 'blocked', 'done'],
    );
    const { packets } = resumed.json.mission;
    assert.deepEqual(
      packets.map(({ category }) => category),
      ['child_exit_nonzero'],
    );
    assert.equal(bed.exists(packets[0]!.path), true);
    const [recovery] = (await bed.events(id)).filter((event) => event.type === 'OwnerResumed');
    assert.deepEqual(
      recovery?.tasks.map(({ task_id, standing }) => [task_id, standing]),
      [
        ['A', 'ended'],
        ['B', 'lost'],
        ['C', 'supervised'],
      ],
    );

    bed.open('go-B');
    const retried = await bed.mission('retry', id, 'B', ...decision);
    assert.deepEqual([retried.code, retried.json.mission.status], [0, 'completed'], retried.stderr);
    assert.deepEqual([...bed.runs()].sort(), ['A', 'B', 'B', 'C']);
    assert.equal((await bed.mission('evidence', 'verify', 'fates')).code, 0);
  });

  it('a hook that a lane plants fails the mission; the others are stopped and SKIPPED', async () => {
    const plan = bed.parallel('outside', 2, [
      bed.lane('A', `await until(() => fs.existsSync('lanes/B/pid')); write('.git/hooks/post-commit');`),
      bed.lane('B', `await gate('never');`),
      bed.lane('C', ''),
    ]);
    const running = bed.start('run', plan);
    const [, beside = 0] = await bed.pids('A', 'B');
    const run = await running.ended;
    assert.deepEqual([run.code, run.json.status, run.json.code], [1, 'failed', 'SCOPE_VIOLATION'], run.stderr);
    assert.equal(isAlive(beside), false);
    assert.deepEqual(
      ['A', 'B', 'C'].map((task) => bed.evidence('outside', task).status),
      ['FAILED', 'SKIPPED', 'SKIPPED'],
    );
    assert.deepEqual(
      bed.evidence('outside', 'A').attempts?.[0]?.changes.filter(({ violation }) => violation).length,
      1,
    );
    assert.equal(bed.evidence('outside', 'C').attempts?.length, 0);
    assert.equal((await bed.mission('evidence', 'verify', 'outside')).code, 0);
  });

  it('a write into the paths of an ended lane blocks the lane that runs, because its author is unknown', async () => {
    const plan = bed.parallel('late', 2, [
      bed.lane('A', ''),
      bed.lane('B', `await gate('go'); write('lanes/A/pid', 'not yours');`),
    ]);
    const running = bed.start('run', plan);
    await until(() => bed.exists('docs/ops/executions/late/TASK_A.json'));
    bed.open('go');
    const run = await running.ended;
    assert.deepEqual([run.code, run.json.code], [3, 'CONCURRENCY_CONFLICT'], run.stderr);
    assert.equal(bed.evidence('late', 'A').status, 'SUCCESS');
    await bed.mission('cancel', run.json.mission_id, ...decision);
    const changes = bed.evidence('late', 'B').attempts?.[0]?.changes ?? [];
    assert.deepEqual(
      changes.filter(({ doubt }) => doubt !== undefined).map(({ path: file, kind }) => [file, kind]),
      // From its own baseline the file came into being.
      [['lanes/A/pid', 'added']],
    );
  });

  it('two names of one folder are one lock: never at the same time', async () => {
    mkdirSync(bed.at('lib'));
    bed.write('lib/kept.txt', 'kept');
    symlinkSync('lib', bed.at('alias'));
    const turn = (name: string, folder: string): string =>
      `import fs from 'node:fs';
if (fs.existsSync('lib/busy')) { fs.writeFileSync(${JSON.stringify(path.join(bed.scratch, 'both'))}, ''); }
fs.writeFileSync('lib/busy', ''); await new Promise((go) => setTimeout(go, 300)); fs.rmSync('lib/busy');
fs.writeFileSync('${folder}/${name}.txt', '');`;
    const plan = bed.parallel('alias', 2, [
      { task_id: 'A', paths: ['lib/'], script: turn('A', 'lib') },
      // What is written through a link is judged where it lands.
      { task_id: 'B', paths: ['alias/'], script: turn('B', 'alias') },
      bed.lane('C', ''),
    ]);
    const run = await bed.mission('run', plan);
    assert.deepEqual([run.code, run.json.status], [0, 'completed'], run.stderr + run.stdout);
    assert.equal(bed.exists('../both'), false);
    assert.deepEqual(await bed.order('alias'), ['A', 'C', 'B']);
  });

  for (const point of [
    'fs.open(stop.json.tmp)#1:before',
    'fs.link(stop.json)#1:after',
    'fs.link(stop.json)#2:after',
    'fs.open(TASK_A.json.tmp)#1:after',
  ])
    it(`a killed owner's next one stops the lanes beside a violation (${point})`, async function () {
      if (process.platform === 'win32') skipWithReason(this, 'there is no SIGKILL by which a process ends itself');
      const plan = bed.parallel('torn', 3, [
        bed.lane('A', `await gate('go'); write('.git/hooks/pre-push');`),
        bed.lane('B', `await gate('never');`),
        bed.lane('C', `await gate('never');`),
      ]);
      const running = bed.spawn(process.execPath, ['--require', preload, cliFile, 'run', plan, '--json'], {
        env: { ...bed.env, KILL_AT: point },
      });
      const pids = await bed.pids('A', 'B', 'C');
      bed.open('go');
      assert.equal((await running.ended).signal, 'SIGKILL');
      const resumed = await bed.mission('resume', 'torn', ...decision);
      assert.deepEqual([resumed.code, resumed.json.mission.status], [1, 'failed'], resumed.stderr + resumed.stdout);
      assert.deepEqual(pids.map(isAlive), [false, false, false]);
      assert.deepEqual(
        ['A', 'B', 'C'].map((task) => bed.evidence('torn', task).status),
        ['FAILED', 'SKIPPED', 'SKIPPED'],
      );
      assert.equal((await bed.mission('evidence', 'verify', 'torn')).code, 0);
      assert.deepEqual([...bed.runs()].sort(), ['A', 'B', 'C']);
    });
});
