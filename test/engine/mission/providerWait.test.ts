import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { missionStatus } from '../../../src/core/mission/status';
import { writeFakeClaude } from '../../cli/fakeClaude';
import { ShiftedTime } from '../fakeWorld';
import { startRealMission, until, type RealMission } from '../realMission';

/** Real processes; only the clock is one that can be moved on. */
describe('engine: an agent that waits for its provider', () => {
  let mission: RealMission | null = null;
  let scratch: string;
  let looks = 0;
  let probes = 0;
  let waits = false;
  beforeEach(async () => {
    scratch = await mkdtemp(path.join(tmpdir(), 'mission-waits-'));
  });
  afterEach(async () => {
    await writeFile(path.join(scratch, 'go'), '');
    await mission?.dispose();
    mission = null;
    await rm(scratch, { recursive: true, force: true });
  });

  /** A worker that says that it waits for so long, and then nothing more. */
  const waiting = async (time: ShiftedTime, seconds: number): Promise<RealMission> => {
    const claude = path.join(scratch, 'claude');
    writeFakeClaude(
      claude,
      `say({ type: 'system', subtype: 'api_retry', retry_delay_ms: ${seconds * 1000}, error_status: 529, error: 'overloaded' });
       while (!fs.existsSync(${JSON.stringify(path.join(scratch, 'go'))})) await wait(200);
       fs.mkdirSync('src', { recursive: true });
       fs.writeFileSync('src/out', 'x');
       end('done', 'src/out');`,
    );
    const started = await startRealMission(
      [{ task_id: 'T1', worker: 'claude', timeout_seconds: 1200 }],
      (ports) => ({
        clock: time,
        timers: time,
        launches: {
          ...ports.launches,
          async heartbeat(runDir) {
            const beat = await ports.launches.heartbeat(runDir);
            looks += 1;
            return beat;
          },
          activity(...about) {
            probes += 1;
            return ports.launches.activity(...about);
          },
          awaitExit: (runDir, known, onSignal) =>
            ports.launches.awaitExit(runDir, known, (signal) => {
              onSignal(signal);
              waits ||= signal.kind === 'waiting';
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
    mission = started;
    await until(started.engine, ({ mission: state }) => {
      return typeof state?.lanes[0]?.launches[0]?.worker_session_id === 'string';
    });
    while (!waits || looks === 0) await delay(20);
    return started;
  };

  it('is no silence for as long as it says, and its result counts', async () => {
    const time = new ShiftedTime();
    const { engine } = await waiting(time, 3000);
    // It is looked at when its timeout is over since the last sign of life.
    for (const passed of [1201, 2402]) {
      const before = looks;
      time.advance(1201);
      while (looks === before) await delay(20);
      await new Promise((resolve) => setImmediate(resolve)); // it is judged by then
      assert.equal(probes, 0, `suspected after ${passed} s`);
      assert.equal(engine.mission?.lanes[0]?.timed_out ?? null, null, `after ${passed} s`);
    }
    assert.ok(engine.mission && missionStatus(engine.mission) === 'running');
    await writeFile(path.join(scratch, 'go'), '');
    await engine.settled();
    assert.equal(engine.mission.rows[0]?.status, 'done', engine.mission.rows[0]?.reason ?? '');
  });
});
