import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { skipWithReason } from '../support/skip';
import { CliBed, cliFile, decision, start, until, type Ended, type Running } from './cliBed';

const preload = path.resolve('dist-test/kill/points.program.js');

describe('mission: a command that comes when the owner goes', function () {
  let bed: CliBed;
  before(function () {
    if (process.platform === 'win32') skipWithReason(this, 'there is no SIGKILL by which a process ends itself');
  });
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const run = (plan: string, env: NodeJS.ProcessEnv): Running =>
    bed.spawn(process.execPath, ['--require', preload, cliFile, 'run', plan, '--json'], {
      env: { ...bed.env, ...env },
    });
  const held = (point: string): NodeJS.ProcessEnv => ({
    HOLD_AT: point,
    HELD: path.join(bed.scratch, 'held'),
    GO: path.join(bed.scratch, 'go-on'),
  });
  const missionId = (): string => readdirSync(bed.at('.mission-control/missions'))[0]!;
  const inbox = (folder = ''): readonly string[] =>
    readdirSync(bed.at(`.mission-control/inbox/${folder}`)).filter((name) => name.endsWith('.json'));
  /** Sends while the owner stands still at its point, and lets it go on when the command lies there. */
  const sendThen = async (...command: readonly string[]): Promise<Ended> => {
    await until(() => bed.exists('../held'));
    const sending = bed.start(...command, missionId(), ...decision);
    await until(() => inbox().length > 0);
    writeFileSync(path.join(bed.scratch, 'go-on'), '');
    return sending.ended;
  };
  const nothingLeft = (): void => assert.deepEqual([inbox(), inbox('taken')], [[], []]);

  for (const point of [
    'sqlite.run(INSERT MissionReported)#1:before',
    'sqlite.run(INSERT MissionReported)#1:after',
    'fs.open(EXECUTION_HEADER.json.tmp)#2:after',
  ])
    it(`is answered when the mission ends (${point})`, async () => {
      const running = run(
        bed.plan('ends', [{ script: `${start}fs.writeFileSync('docs/out/a.txt', 'a');` }]),
        held(point),
      );
      const sent = await sendThen('pause');
      assert.equal((await running.ended).code, 0);
      assert.deepEqual([sent.code, sent.json.code], [2, 'MISSION_CLOSED'], sent.stderr);
      nothingLeft();
    });

  for (const point of ['sqlite.run(INSERT HandoffWritten)#1:after', 'fs.open(handoff/1/SHA256SUMS.tmp)#1:after'])
    it(`is carried out when the mission stops at a block (${point})`, async () => {
      const script = `${start}if (!fs.existsSync('docs/out/a.txt')) { fs.writeFileSync('docs/out/a.txt', 'a'); process.exit(1); } fs.writeFileSync('docs/out/a.txt', 'b');`;
      const running = run(bed.plan('stops', [{ script }]), held(point));
      const sent = await sendThen('retry');
      assert.equal(sent.code, 0, sent.stderr + sent.stdout);
      const ended = await running.ended;
      assert.ok(ended.code === 0 || ended.code === 3, ended.stderr);
      const status = (await bed.mission('status', missionId())).json;
      assert.equal(status.missions[0]?.status, 'completed', JSON.stringify(status));
      assert.equal(bed.json('docs/ops/executions/stops/TASK_T1.json').attempts.length, 2);
      nothingLeft();
    });

  for (const [point, when] of [
    ['fs.rename(<id>.json)#1:after', 'before it decided'],
    ['fs.open(<id>.answer.json.tmp)#1:before', 'before it answered'],
  ] as const)
    it(`is decided once by the sender when its owner took it and was killed ${when}`, async () => {
      const plan = bed.plan('killed', [
        { script: `${start}${bed.waitAt('go')}` },
        { script: `${start}fs.writeFileSync('docs/out/b.txt', 'b');` },
      ]);
      const running = run(plan, { KILL_AT: point });
      await bed.waitsAt('go');
      const sent = await bed.mission('pause', missionId(), ...decision);
      assert.equal((await running.ended).signal, 'SIGKILL');
      assert.deepEqual([sent.code, sent.json.accepted], [0, true], sent.stderr);
      const decided = (await bed.events(missionId())).filter(({ type }) => /^Command(Accepted|Refused)$/.test(type));
      assert.equal(decided.length, 1);
      nothingLeft();
      bed.open('go');
      const resumed = await bed.mission('resume', missionId(), ...decision);
      assert.equal(resumed.code, 0, resumed.stderr);
    });

  it('names a worker that is being started, and the next owner attaches to it', async () => {
    const running = run(
      bed.plan('starting', [{ script: `${start}fs.appendFileSync('docs/out/runs', 'a');` }]),
      held('sqlite.run(INSERT LaunchPrepared)#1:after'),
    );
    await until(() => bed.exists('../held'));
    // It is taken when the owner goes on, with the start already under way.
    running.child.kill('SIGTERM');
    writeFileSync(path.join(bed.scratch, 'go-on'), '');
    const ended = await running.ended;
    assert.equal(ended.code, 3, ended.stderr);
    assert.match(ended.stderr, /^Let go: the worker of T1 was being started\./m);
    const resumed = await bed.mission('resume', missionId(), ...decision);
    assert.equal(resumed.code, 0, resumed.stderr);
    assert.equal(bed.read('docs/out/runs'), 'a');
  });
});
