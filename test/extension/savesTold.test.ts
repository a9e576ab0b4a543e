import assert from 'node:assert/strict';
import { SavesTold } from '../../src/extension/folder/savesTold';

const never = new Promise<never>(() => undefined);

describe('saves of a window', () => {
  it('are told when the window has answered three times and what it told of is known', async () => {
    let asked = 0;
    const order: string[] = [];
    let known: () => void = () => undefined;
    const saves = new SavesTold(() => {
      if ((asked += 1) === 3)
        saves.add(new Promise<void>((resolve) => (known = resolve)).then(() => order.push('known')));
      return Promise.resolve();
    });
    const settled = saves.settled().then(() => order.push('settled'));
    while (asked < 3) await Promise.resolve();
    setImmediate(() => known());
    await settled;
    assert.deepEqual(order, ['known', 'settled']);
  });

  it('are not waited for when the window is closed, and asked for again once it answers', async () => {
    const answers: (() => void)[] = [];
    const saves = new SavesTold(() => new Promise<void>((resolve) => answers.push(resolve)), 1);
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

  it('are not waited for when the window refuses to answer, or a save could not be told', async () => {
    await new SavesTold(() => Promise.reject(new Error('Canceled'))).settled();
    const saves = new SavesTold(() => Promise.resolve());
    const failed = Promise.reject(new Error('gone'));
    saves.add(failed);
    await saves.settled();
    assert.equal(await Promise.race([saves.settled().then(() => 'settled'), never]), 'settled');
  });
});
