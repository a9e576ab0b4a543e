import assert from 'node:assert/strict';
import type { Heartbeat } from '../../../../src/contracts/launch';
import type { Silence } from '../../../../src/core/ledger/heartbeat';
import { watchWorker, type Watch } from '../../../../src/engine/effects/watch/watchWorker';
import type { Launches } from '../../../../src/engine/ports/launches';
import { FakeTime } from '../../fakeWorld';

const start = '2026-01-31T20:00:00.000Z';
const known = { launch_id: 'L', nonce: '0'.repeat(32), process: null, max_runtime_seconds: 9999, grace_seconds: 1 };

/** A process whose signs of life a test decides, and a watchdog on a clock that a test moves. */
class Bed {
  readonly time = new FakeTime(start);
  readonly silences: Silence[] = [];
  beat: Heartbeat | null = null;
  activity = { alive: true, cpu_seconds: 0 };
  /** CPU seconds that are added between two looks. */
  working = 0;
  reads = 0;
  unreadable = false;
  readonly watch: Watch;

  constructor(options: { readonly timeout_seconds?: number; readonly is_agent?: boolean } = {}) {
    const launches = {
      heartbeat: () => {
        this.reads += 1;
        return this.unreadable ? Promise.reject(new Error('EIO')) : Promise.resolve(this.beat);
      },
      activity: () => {
        this.activity = { ...this.activity, cpu_seconds: this.activity.cpu_seconds + this.working };
        return Promise.resolve(this.activity);
      },
    } as unknown as Launches;
    const process = { task_id: 'T1', started_at: start, timeout_seconds: 1200, is_agent: false, ...options };
    const ports = { launches, clock: this.time, timers: this.time };
    this.watch = watchWorker({ runDir: '/run', known, process }, ports, (silence) => this.silences.push(silence));
  }

  progress(seconds: number, more: Partial<Heartbeat> = {}): void {
    const at = this.time.after(start, seconds);
    this.beat = { launch_id: 'L', at, last_progress_at: at, events: 1, output_bytes: 1, ...more };
  }
}

describe('watchdog of a worker', () => {
  it('looks at the boundary, probes, and gives up one second after the timeout and its grace', async () => {
    const bed = new Bed();
    bed.progress(0);
    await bed.time.pass(1200);
    assert.deepEqual(bed.silences, []);
    assert.equal(bed.time.next, bed.time.after(start, 1201), 'the next look is at the boundary');
    await bed.time.pass(1);
    assert.deepEqual(bed.silences, [], 'suspect: probed first');
    await bed.time.pass(5);
    assert.deepEqual(bed.silences, [
      {
        last_heartbeat_at: start,
        timeout_seconds: 1200,
        age_seconds: 1206,
        found: 'its processes are alive, use no processor time and print nothing',
      },
    ]);
    assert.equal(bed.time.next, null, 'nobody looks any more');
  });

  it('does not poll: an hour with a heartbeat every minute costs as many looks as there are boundaries', async () => {
    const bed = new Bed();
    for (let minute = 0; minute < 60; minute += 1) {
      bed.progress(minute * 60);
      await bed.time.pass(60);
    }
    assert.deepEqual(bed.silences, []);
    assert.ok(bed.reads <= 6, String(bed.reads));
  });

  it('a heartbeat that comes in the grace saves it', async () => {
    const bed = new Bed();
    await bed.time.pass(1202);
    bed.progress(1203);
    await bed.time.pass(1000);
    assert.deepEqual(bed.silences, []);
    assert.equal(bed.time.next, bed.time.after(start, 1203 + 1201));
  });

  it('processes that work in the grace are a sign of life, and count as one only once', async () => {
    const bed = new Bed();
    bed.working = 0.06;
    await bed.time.pass(1206);
    assert.equal(bed.silences.length, 0);
    bed.working = 0;
    await bed.time.pass(1206);
    assert.equal(bed.silences.length, 1);
    assert.equal(bed.silences[0]?.last_heartbeat_at, bed.time.after(start, 1206));
  });

  it('processes that are gone are not silent: their end counts', async () => {
    const bed = new Bed();
    bed.activity = { alive: false, cpu_seconds: 0 };
    await bed.time.pass(5000);
    assert.deepEqual(bed.silences, []);
    assert.equal(bed.time.next, null);
  });

  for (const [seconds, believed] of [
    [40, 40],
    [1800, 1800],
    [3600, 3600],
    [86_400, 3600],
  ] as const)
    it(`waiting for the provider for ${seconds} s is no silence, for an hour at most; then its timeout begins`, async () => {
      const bed = new Bed({ is_agent: true });
      bed.watch.spoke();
      bed.watch.waits(seconds);
      await bed.time.pass(believed + 1205);
      assert.deepEqual(bed.silences, []);
      await bed.time.pass(2);
      assert.equal(bed.silences.length, 1);
    });

  it('an agent whose first words are that it waits has begun', async () => {
    const bed = new Bed({ is_agent: true });
    await bed.time.pass(50);
    bed.watch.spoke();
    bed.watch.waits(0);
    await bed.time.pass(1200);
    assert.deepEqual(bed.silences, []);
  });

  it('an agent that says nothing is given up after a minute, one that spoke is not', async () => {
    const mute = new Bed({ is_agent: true });
    mute.progress(30, { events: 0 });
    await mute.time.pass(66);
    assert.deepEqual(
      mute.silences.map(({ timeout_seconds, age_seconds }) => [timeout_seconds, age_seconds]),
      [[60, 66]],
    );
    const spoke = new Bed({ is_agent: true });
    spoke.watch.spoke();
    await spoke.time.pass(600);
    assert.deepEqual(spoke.silences, []);
  });

  it('time asleep counts as no silence', async () => {
    const bed = new Bed();
    bed.progress(100);
    await bed.time.pass(100);
    await bed.time.jump(36_000);
    // The supervisor wakes up as well and says how long the machine slept.
    bed.progress(100, { sleeps: [{ from: bed.time.after(start, 100), to: bed.time.after(start, 36_100) }] });
    await bed.time.pass(1199);
    assert.deepEqual(bed.silences, []);
    await bed.time.pass(8);
    assert.equal(bed.silences.length, 1);
  });

  it('a forged heartbeat saves no worker: of another launch, or ahead of the clock', async () => {
    const foreign = new Bed();
    foreign.progress(1000, { launch_id: 'other' });
    await foreign.time.pass(1206);
    assert.equal(foreign.silences.length, 1);
    const ahead = new Bed();
    ahead.progress(99_999);
    await ahead.time.pass(1206);
    assert.match(ahead.silences[0]?.found ?? '', /was not believed/);
  });

  it('a heartbeat that cannot be read is looked for again', async () => {
    const bed = new Bed();
    bed.unreadable = true;
    await bed.time.pass(2000);
    assert.deepEqual(bed.silences, []);
    bed.unreadable = false;
    await bed.time.pass(60);
    assert.equal(bed.silences.length, 1);
  });

  it('a disposed watch does nothing', async () => {
    const bed = new Bed();
    await bed.time.pass(1203);
    bed.watch.dispose();
    await bed.time.pass(5000);
    assert.deepEqual(bed.silences, []);
  });
});
