import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { SavesReported } from '../../../src/extension/folder/savesReported';

const never = new Promise<never>(() => undefined);
const unheard = (error: unknown): void => assert.fail(String(error));

describe('saves of a window', () => {
  it('are reported when the window has answered three times and what it named is known', async () => {
    let asked = 0;
    const order: string[] = [];
    let known: () => void = () => undefined;
    const saves = new SavesReported(() => {
      if ((asked += 1) === 3)
        saves.add(new Promise<void>((resolve) => (known = resolve)).then(() => order.push('known')));
      return Promise.resolve();
    }, unheard);
    const settled = saves.settled().then(() => order.push('settled'));
    while (asked < 3) await Promise.resolve();
    setImmediate(() => known());
    await settled;
    assert.deepEqual(order, ['known', 'settled']);
  });

  it('are not waited for when the window is closed, and asked for again once it answers', async () => {
    const answers: (() => void)[] = [];
    const saves = new SavesReported(() => new Promise<void>((resolve) => answers.push(resolve)), unheard, 1);
    await saves.settled();
    await saves.settled();
    assert.equal(answers.length, 1, 'one question is open');
    for (let at = 0; at < 3; at += 1) {
      answers[at]?.();
      await new Promise(setImmediate);
    }
    const again = saves.settled();
    assert.equal(answers.length, 4);
    await again;
  });

  it('are not waited for when the window goes away in the middle of one', async () => {
    const saves = new SavesReported(() => Promise.resolve(), unheard, 1);
    saves.add(never);
    await saves.settled();
    const next = new SavesReported(() => never, unheard, 1);
    next.add(never);
    await next.settled();
    next.add(never);
    await next.settled();
  });

  it('are waited for again after one that never ended', async () => {
    const saves = new SavesReported(() => Promise.resolve(), unheard, 1);
    saves.add(never);
    await saves.settled();
    let told = false;
    saves.add(Promise.resolve().then(() => (told = true)));
    await saves.settled();
    assert.ok(told);
  });

  it('that are recent are waited for although another call gives up an old one', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      let answer: () => void = () => undefined;
      const questions = [Promise.resolve(), new Promise<void>((resolve) => (answer = resolve))];
      let question = questions[0];
      const saves = new SavesReported(() => question!, unheard);
      saves.add(never);
      const first = saves.settled();
      mock.timers.tick(9_000);
      question = questions[1];
      const order: string[] = [];
      const second = saves.settled().then(() => order.push('settled'));
      mock.timers.tick(800);
      let known: () => void = () => undefined;
      saves.add(new Promise<void>((resolve) => (known = resolve)).then(() => order.push('known')));
      mock.timers.tick(200);
      await first;
      answer();
      await new Promise(setImmediate);
      known();
      await second;
      assert.deepEqual(order, ['known', 'settled']);
    } finally {
      mock.timers.reset();
    }
  });

  it('that came while a silent window was given up are waited for by the next call', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const saves = new SavesReported(() => never, unheard);
      const first = saves.settled();
      let known: () => void = () => undefined;
      const order: string[] = [];
      saves.add(new Promise<void>((resolve) => (known = resolve)).then(() => order.push('known')));
      mock.timers.tick(10_000);
      await first;
      const second = saves.settled().then(() => order.push('settled'));
      await new Promise(setImmediate);
      known();
      await second;
      assert.deepEqual(order, ['known', 'settled']);
    } finally {
      mock.timers.reset();
    }
  });

  it('are not waited for when the window refuses to answer', async () => {
    await new SavesReported(() => Promise.reject(new Error('Canceled')), unheard).settled();
  });

  it('that could not be reported are logged, whether or not a call waits for them', async () => {
    const heard: unknown[] = [];
    const saves = new SavesReported(
      () => Promise.resolve(),
      (error) => heard.push(error),
    );
    const unhandled: unknown[] = [];
    const hear = (error: unknown): void => void unhandled.push(error);
    const others = process.rawListeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', hear);
    try {
      const gone = new Error('gone');
      saves.add(Promise.reject(gone));
      await new Promise(setImmediate);
      await new Promise(setImmediate);
      assert.deepEqual([heard, unhandled], [[gone], []]);
      await saves.settled();
    } finally {
      process.off('unhandledRejection', hear);
      for (const other of others) process.on('unhandledRejection', other as (error: unknown) => void);
    }
  });
});
