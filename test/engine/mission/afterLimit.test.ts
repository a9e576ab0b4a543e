import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterLimit } from '../../../src/contracts/vocabulary/plan';
import { pendingEffects } from '../../../src/core/mission/effects';
import { missionStatus } from '../../../src/core/mission/status';
import { waitsNow } from '../../../src/core/mission/resolve/waits';
import { MissionEngine } from '../../../src/engine/mission/engine';
import { writeFakeClaude } from '../../cli/fakeClaude';
import { ShiftedTime } from '../fakeWorld';
import { details, startRealMission, until, type RealMission } from '../realMission';

/** The time of a limit comes when a test says so. It is the only one of a whole second. */
class LimitTime extends ShiftedTime {
  #passed = false;
  readonly #held = new Set<() => void>();

  override at(time: string, callback: () => void): { dispose(): void } {
    if (this.#passed || !/:\d\dZ$/.test(time)) return super.at(time, callback);
    let timer: { dispose(): void } | null = null;
    const begin = (): void => {
      timer = super.at(time, callback);
    };
    this.#held.add(begin);
    return {
      dispose: () => {
        this.#held.delete(begin);
        timer?.dispose();
      },
    };
  }

  /** The margin is over. */
  pass(): void {
    this.#passed = true;
    this.advance(afterLimit.margin_seconds + 2);
    for (const begin of this.#held) begin();
    this.#held.clear();
  }
}

const human = { kind: 'human', name: 'ada' } as const;

/** Real processes; only the clock is one that can be moved on. */
describe('engine: a task that goes on by itself after a limit', () => {
  let mission: RealMission | null = null;
  let scratch: string;
  beforeEach(async () => {
    scratch = await mkdtemp(path.join(tmpdir(), 'mission-limit-'));
  });
  afterEach(async () => {
    await mission?.dispose();
    mission = null;
    await rm(scratch, { recursive: true, force: true });
  });

  /** A mission whose first launch met a limit that is over, and that waits out the margin. */
  const limited = async (time: LimitTime): Promise<RealMission> => {
    const claude = path.join(scratch, 'claude');
    writeFakeClaude(
      claude,
      `if (fs.readFileSync(${JSON.stringify(`${claude}.launches`)}, 'utf8').trim().split('\\n').length === 1) {
         say({ type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: Math.floor(Date.now() / 1000) - 60 } });
         say({ type: 'result', subtype: 'success', is_error: true, api_error_status: 429, result: 'used up' });
         process.exitCode = 1;
         return;
       }
       fs.mkdirSync('src', { recursive: true });
       fs.writeFileSync('src/out', 'x');
       end('done', 'src/out');`,
    );
    mission = await startRealMission(
      [{ task_id: 'T1', worker: 'claude', timeout_seconds: 1200 }],
      (ports) => ({
        clock: time,
        timers: time,
        workers: {
          ...ports.workers,
          resolve: () =>
            Promise.resolve({
              ok: true,
              value: { executable: claude, version: '2.1.328', extra_args: [], env_names: [], default_model: null },
            } as const),
        },
      }),
      { delegation: { claude_code: true, constraints: [] }, recovery: { after_limit: 'resume' } },
    );
    await until(mission.engine, waitsForLimit);
    return mission;
  };
  it('is launched again once the limit has ended', async () => {
    const time = new LimitTime();
    const { engine } = await limited(time);
    assert.equal(engine.isSettled, false);
    time.pass();
    await engine.settled();
    assert.ok(engine.mission);
    assert.equal(missionStatus(engine.mission), 'completed');
    assert.deepEqual(
      engine.mission.rows[0]?.attempts.map(({ decided_by }) => decided_by?.actor.kind),
      [undefined, 'runner'],
    );
  });

  it('leaves nothing under way where a person pauses, and waits again where one resumes', async () => {
    const time = new LimitTime();
    const { engine } = await limited(time);
    const paused = await engine.command('c1', { type: 'PauseMission' }, human, details);
    assert.equal(paused.code, 'OK');
    await engine.settled();
    time.pass();
    assert.ok(engine.isSettled);
    assert.equal(engine.mission && missionStatus(engine.mission), 'paused');
    const resumed = await engine.command('c2', { type: 'ResumeMission' }, human, details);
    assert.equal(resumed.code, 'OK', resumed.reason);
    await engine.settled();
    assert.equal(engine.mission && missionStatus(engine.mission), 'completed');
  });

  it('is launched again by the next owner, which knows nothing but the journal', async () => {
    const time = new LimitTime();
    const { engine: first, ports, options } = await limited(time);
    first.detach();
    const next = await MissionEngine.load(first.missionId, ports, options);
    await next.resume();
    assert.ok(waitsForLimit(next));
    time.pass();
    await next.settled();
    assert.equal(next.mission && missionStatus(next.mission), 'completed');
    assert.equal(first.mission?.packets[0]?.state.kind, 'open', 'the owner that is gone decided as well');
    next.detach();
  });
});

/** Says whether nothing else is under way. */
function waitsForLimit({ mission }: MissionEngine): boolean {
  return mission !== null && pendingEffects(mission).length === 0 && waitsNow(mission).length === 1;
}
