import assert from 'node:assert/strict';
import {
  exitGraceSeconds,
  hasToldItsEnd,
  turnGraceSeconds,
  watchExit,
  type ExitWatch,
} from '../../../../src/engine/effects/watch/watchExit';
import type { Launches } from '../../../../src/engine/ports/launches';
import type { WorkerSignal } from '../../../../src/contracts/launch';
import { FakeTime } from '../../fakeWorld';

const final: WorkerSignal = { kind: 'final', ok: true, reason: null, text: null, structured: null };
const message: WorkerSignal = { kind: 'message', text: 'one more thing' };
const usage: WorkerSignal = {
  kind: 'usage',
  usage: { inputTokens: 1, cachedInputTokens: null, outputTokens: 1, costUsd: null },
  span: 'launch',
};

/** An agent whose words and output a test decides, on a clock that a test moves. */
class Bed {
  readonly time = new FakeTime();
  readonly quietSeconds: number[] = [];
  output: string | null = null;
  unreadable = false;
  readonly watch: ExitWatch;

  constructor() {
    const lastOutput = (): Promise<string | null> =>
      this.unreadable ? Promise.reject(new Error('EIO')) : Promise.resolve(this.output);
    const ports = { launches: { lastOutput } as unknown as Launches, clock: this.time, timers: this.time };
    this.watch = watchExit('/run', ports, (quiet) => this.quietSeconds.push(quiet));
  }
}

describe('an agent that finished', () => {
  it('stays when nothing came from it for its grace, which is reported once', async () => {
    const bed = new Bed();
    assert.equal(bed.watch.saw(final), exitGraceSeconds);
    await bed.time.pass(exitGraceSeconds - 1);
    assert.deepEqual(bed.quietSeconds, []);
    await bed.time.pass(1);
    assert.deepEqual(bed.quietSeconds, [exitGraceSeconds]);
    bed.watch.saw(final);
    await bed.time.pass(1000);
    assert.deepEqual(bed.quietSeconds, [exitGraceSeconds]);
  });

  it('and begins another turn works on, until it reports its end again', async () => {
    const bed = new Bed();
    bed.watch.saw(final);
    assert.equal(bed.watch.saw(message), null);
    await bed.time.pass(1000);
    assert.deepEqual(bed.quietSeconds, []);
    bed.watch.saw(final);
    await bed.time.pass(exitGraceSeconds);
    assert.deepEqual(bed.quietSeconds, [exitGraceSeconds]);
  });

  it('and whose processes still write has its grace from their last output', async () => {
    const bed = new Bed();
    bed.watch.saw(final);
    bed.output = bed.time.after(bed.time.now(), 10);
    await bed.time.pass(exitGraceSeconds);
    assert.deepEqual(bed.quietSeconds, []);
    await bed.time.pass(9);
    assert.deepEqual(bed.quietSeconds, []);
    await bed.time.pass(1);
    assert.deepEqual(bed.quietSeconds, [exitGraceSeconds]);
  });

  it('and reports its usage or an error afterwards has its grace from then', async () => {
    const bed = new Bed();
    bed.watch.saw(final);
    await bed.time.pass(10);
    assert.equal(bed.watch.saw(usage), exitGraceSeconds);
    await bed.time.pass(10);
    assert.deepEqual(bed.quietSeconds, []);
    await bed.time.pass(5);
    assert.deepEqual(bed.quietSeconds, [exitGraceSeconds]);
  });

  for (const [what, make] of [
    ['ahead of the clock', (bed: Bed) => (bed.output = bed.time.after(bed.time.now(), 1_000_000))],
    ['that cannot be read', (bed: Bed) => (bed.unreadable = true)],
  ] as const)
    it(`is not kept by output ${what}`, async () => {
      const bed = new Bed();
      make(bed);
      bed.watch.saw(final);
      await bed.time.pass(exitGraceSeconds);
      assert.deepEqual(bed.quietSeconds, [exitGraceSeconds]);
    });

  it('has its grace anew after the machine slept', async () => {
    const bed = new Bed();
    bed.watch.saw(final);
    await bed.time.jump(10_000);
    assert.deepEqual(bed.quietSeconds, []);
    await bed.time.pass(exitGraceSeconds);
    assert.deepEqual(bed.quietSeconds, [exitGraceSeconds]);
  });

  it('is not reported when its launch has ended', async () => {
    const bed = new Bed();
    bed.watch.saw(final);
    bed.watch.dispose();
    await bed.time.pass(1000);
    assert.deepEqual(bed.quietSeconds, []);
    assert.equal(bed.time.next, null);
  });

  it('of a turn alone has more time, in which the next may begin', async () => {
    const bed = new Bed();
    assert.equal(bed.watch.saw({ kind: 'turn_ended' }), turnGraceSeconds);
    await bed.time.pass(turnGraceSeconds - 1);
    assert.deepEqual(bed.quietSeconds, []);
    await bed.time.pass(1);
    assert.deepEqual(bed.quietSeconds, [turnGraceSeconds]);
  });

  it('is known by its last word', () => {
    assert.equal(hasToldItsEnd([]), false);
    assert.equal(hasToldItsEnd([message, final]), true);
    assert.equal(hasToldItsEnd([message, final, usage]), true);
    assert.equal(hasToldItsEnd([final, message]), false);
  });
});
