import assert from 'node:assert/strict';
import { SavesForOwner, type Save } from '../../../src/extension/folder/savesReported';

const save = (path: string, sha256: string): Save => ({ actor: { kind: 'human', name: 'ada' }, path, sha256 });
const unheard = (error: unknown): void => assert.fail(String(error));

describe('saves of a window that does not own', () => {
  /** Owners that take what they are sent, one after the other, as fast as the test lets them. */
  function owner(): {
    readonly saves: SavesForOwner;
    readonly sent: string[];
    present: boolean;
    during: (() => void) | null;
  } {
    const sent: string[] = [];
    const state = {
      sent,
      present: true,
      during: null as (() => void) | null,
      saves: new SavesForOwner(async ({ path, sha256 }) => {
        await Promise.resolve();
        if (!state.present) return false;
        sent.push(`${path} ${sha256}`);
        const { during } = state;
        state.during = null;
        during?.();
        return true;
      }, unheard),
    };
    return state;
  }

  it('reach the owner at once, each once', async () => {
    const { saves, sent } = owner();
    await Promise.all([saves.add(save('a', '1')), saves.add(save('b', '2'))]);
    await saves.flush();
    assert.deepEqual(sent, ['a 1', 'b 2']);
  });

  it('wait for the next owner, the newest content of each file', async () => {
    const to = owner();
    to.present = false;
    for (const [path, sha256] of [
      ['a', '1'],
      ['b', '2'],
      ['a', '3'],
    ] as const)
      await to.saves.add(save(path, sha256));
    assert.deepEqual(to.sent, []);
    to.present = true;
    await to.saves.flush();
    assert.deepEqual(to.sent, ['b 2', 'a 3']);
  });

  it('include a save that came while the one before was being sent', async () => {
    const to = owner();
    to.during = () => void to.saves.add(save('a', '2'));
    await to.saves.add(save('a', '1'));
    assert.deepEqual(to.sent, ['a 1', 'a 2']);
  });

  it('include a save that came in the moment in which the last one was taken', async () => {
    const sent: string[] = [];
    let taken: (answer: boolean) => void = () => undefined;
    let onItsWay = new Promise<boolean>((resolve) => (taken = resolve));
    const saves = new SavesForOwner(({ path }) => {
      sent.push(path);
      return onItsWay;
    }, unheard);
    const first = saves.add(save('a', '1'));
    while (sent.length === 0) await Promise.resolve();
    const second = onItsWay.then(() => {
      onItsWay = Promise.resolve(true);
      return saves.add(save('b', '2'));
    });
    taken(true);
    await Promise.all([first, second]);
    assert.deepEqual(sent, ['a', 'b']);
  });

  it('that could not be sent are logged, and sent to the next owner', async () => {
    const sent: string[] = [];
    const heard: unknown[] = [];
    const gone = new Error('gone');
    const saves = new SavesForOwner(
      ({ path }) => {
        if (heard.length === 0) throw gone;
        sent.push(path);
        return Promise.resolve(true);
      },
      (error) => heard.push(error),
    );
    await saves.add(save('a', '1'));
    await saves.flush();
    assert.deepEqual([heard, sent], [[gone], ['a']]);
  });

  it('are forgotten when nothing runs', async () => {
    const to = owner();
    to.present = false;
    await to.saves.add(save('a', '1'));
    to.saves.forget();
    to.present = true;
    await to.saves.flush();
    assert.deepEqual(to.sent, []);
  });
});
