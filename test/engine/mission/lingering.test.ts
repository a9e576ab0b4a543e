import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { missionStatus } from '../../../src/core/mission/status';
import { MissionEngine } from '../../../src/engine/mission/engine';
import { exitGraceSeconds } from '../../../src/engine/effects/watch/watchExit';
import { writeFakeClaude } from '../../cli/fakeClaude';
import { ShiftedTime } from '../fakeWorld';
import { startRealMission, type RealMission } from '../realMission';

/** Real processes; only the clock is one that can be moved on. */
describe('engine: an agent that finished and does not exit', () => {
  let mission: RealMission | null = null;
  let scratch: string;
  let ended = false;
  beforeEach(async () => {
    scratch = await mkdtemp(path.join(tmpdir(), 'mission-stays-'));
    ended = false;
  });
  afterEach(async () => {
    await mission?.dispose();
    mission = null;
    await rm(scratch, { recursive: true, force: true });
  });

  const work = `fs.mkdirSync('src', { recursive: true }); fs.writeFileSync('src/out', 'x');`;

  const toldItsEnd = (): boolean => ended;

  /** Runs one task whose agent does this, until it finishes. */
  const tells = async (body: string, time: ShiftedTime): Promise<RealMission> => {
    const claude = path.join(scratch, 'claude');
    writeFakeClaude(claude, body);
    mission = await startRealMission(
      [{ task_id: 'T1', worker: 'claude', timeout_seconds: 1200 }],
      (ports) => ({
        clock: time,
        timers: time,
        launches: {
          ...ports.launches,
          awaitExit: (runDir, known, onSignal) =>
            ports.launches.awaitExit(runDir, known, (signal) => {
              onSignal(signal);
              ended ||= signal.kind === 'final';
            }),
        },
        workers: {
          ...ports.workers,
          resolve: () =>
            Promise.resolve({
              ok: true,
              value: { executable: claude, version: '2.1.328', extra_args: [], env_names: [], default_model: null },
            } as const),
        },
      }),
      { delegation: { claude_code: true, constraints: [] } },
    );
    while (!toldItsEnd()) await delay(20);
    return mission;
  };
  /** The same, and lets its grace pass. */
  const stays = async (body: string): Promise<RealMission> => {
    const time = new ShiftedTime();
    const started = await tells(body, time);
    time.advance(exitGraceSeconds);
    await started.engine.settled();
    return started;
  };

  it('is ended with its tree after a grace, and its result is judged', async () => {
    const { engine, journal } = await stays(
      `${work}
       require('node:child_process').spawn('setsid', ['sleep', '1000000'], { stdio: 'inherit' });
       process.on('SIGTERM', () => {});
       end('done', 'src/out');
       setInterval(() => {}, 1000);`,
    );
    assert.ok(engine.mission);
    const row = engine.mission.rows[0];
    assert.equal(row?.status, 'done', row?.reason);
    assert.equal(missionStatus(engine.mission), 'completed');
    const end = row.attempts[0]?.launches[0]?.end;
    assert.deepEqual(
      [end?.reason, end?.did_not_exit, end?.error, end?.tree_gone, end?.survivors],
      ['stop_requested', { quiet_seconds: exitGraceSeconds }, null, true, []],
    );
    const events = (await journal.read(engine.missionId)).map(({ event }) => event.type);
    assert.ok(events.indexOf('WorkerLingered') > 0, events.join(' '));
    assert.ok(events.indexOf('WorkerLingered') < events.indexOf('WorkerEnded'));
    assert.ok(!events.includes('WorkerTimedOut') && !events.includes('TaskStopRequested'));
  });

  it('is no silent one for the owner that comes long after', async () => {
    const time = new ShiftedTime();
    const { engine, ports, options, journal } = await tells(
      `${work} end('done', 'src/out'); setInterval(() => {}, 1000);`,
      time,
    );
    engine.detach();
    time.advance(3000);
    ended = false;
    const next = await MissionEngine.load(engine.missionId, ports, options);
    await next.resume();
    while (!toldItsEnd()) await delay(20);
    time.advance(exitGraceSeconds);
    await next.settled();
    assert.equal(next.mission?.rows[0]?.status, 'done', next.mission?.rows[0]?.reason ?? '');
    const events = (await journal.read(engine.missionId)).map(({ event }) => event.type);
    assert.ok(events.includes('WorkerLingered') && !events.includes('WorkerTimedOut'), events.join(' '));
  });

  it('is judged by the error that it reported', async () => {
    const { engine } = await stays(
      `${work}
       say({ type: 'result', subtype: 'error_during_execution', is_error: true, errors: ['it broke'] });
       setInterval(() => {}, 1000);`,
    );
    const row = engine.mission?.rows[0];
    assert.equal(row?.status, 'blocked');
    assert.match(row.reason, /The worker reported an error: error_during_execution: it broke/);
  });
});
