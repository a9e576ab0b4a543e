import assert from 'node:assert/strict';
import { Ahead } from './ahead';

describe('habitats that are visited ahead', () => {
  it('gives the one that is asked for a place when another visit ends', async () => {
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const ahead = new Ahead(['a', 'b', 'c', 'd', 'e'], 2, (item) => {
      begun.push(item);
      return new Promise<string>((resolve) => ends.set(item, () => resolve(`seen ${item}`)));
    });
    const first = ahead.of('a');
    assert.deepEqual(begun, ['a', 'b']);
    const other = ahead.of('d'); // as after a time-out of the first, or with --grep
    assert.deepEqual(begun, ['a', 'b']);
    ends.get('a')?.();
    assert.equal(await first, 'seen a');
    ends.get('b')?.();
    ends.get('d')?.();
    assert.equal(await other, 'seen d');
    assert.deepEqual(begun, ['a', 'b', 'd', 'e']);
  });

  it('reports a failure to the one that asks for the visit, and goes on', async () => {
    const ahead = new Ahead(['a', 'b'], 1, (item) =>
      item === 'a' ? Promise.reject(new Error('it was not made')) : Promise.resolve(item),
    );
    await assert.rejects(ahead.of('a'), /it was not made/);
    assert.equal(await ahead.of('b'), 'b');
  });
});
