import assert from 'node:assert/strict';
import { oneAtATime } from '../../../src/extension/window/paced';

describe('work that is asked for often', () => {
  it('runs once for all who ask meanwhile, after what runs, and again after a failure', async () => {
    const ends: ((failed: boolean) => void)[] = [];
    const ask = oneAtATime(
      () =>
        new Promise((resolve, reject) => {
          ends.push((failed) => (failed ? reject(new Error('unreadable')) : resolve()));
        }),
    );
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    const first = ask();
    await turn();
    const others = [ask(), ask(), ask()];
    await turn();
    assert.equal(ends.length, 1);
    ends[0]?.(true);
    await assert.rejects(first, /unreadable/);
    await turn();
    assert.equal(ends.length, 2);
    ends[1]?.(false);
    await Promise.all(others);
    void ask();
    await turn();
    assert.equal(ends.length, 3);
  });
});
