import assert from 'node:assert/strict';
import type { ReadFile } from '../../../src/engine/views/readReview';
import { whatToKnow } from '../../../src/extension/commands/reviewWords';

describe('what stands beside a review', () => {
  const file = (path: string, note: string | null): ReadFile => ({
    ...{
      path,
      before_path: path,
      tasks: ['T1'],
      doubted: [],
      unannounced: [],
      violation: null,
      note,
      since: null,
      put_back: false,
    },
    ...{ before: { kind: 'absent' }, after: { kind: 'absent' } },
    ...{ was: { kind: 'text', text: '' }, is: { kind: 'text', text: '' } },
  });
  const told = (...files: readonly ReadFile[]): readonly string[] =>
    whatToKnow({ files, restored: [], live: false, elsewhere: false, notes: [] }, new Set(['C1', 'C2']));

  it('has the note of a file whose change is not seen in its text', () => {
    assert.deepEqual(told(file('plain.txt', null)), []);
    assert.deepEqual(told(file('a.bin', 'Its bytes differ.'), file('b.sh', 'mode 644 -> 755')), [
      'a.bin: Its bytes differ.',
      'b.sh: mode 644 -> 755.',
    ]);
  });

  it('says of which file nothing shows who changed it', () => {
    const doubted = { ...file('a.txt', null), doubted: ['T1'], unannounced: ['T1'], violation: 'lies outside' };
    assert.deepEqual(told(doubted, file('b.txt', null)), ['Out of scope: a.txt.', 'Nothing shows who changed a.txt.']);
  });

  it('says which files changed by their time alone, and of none that its result announced', () => {
    const observed = { ...file('a.txt', null), unannounced: ['T1'] };
    const said = ['The agent did not name these changes in its result: a.txt.'];
    assert.deepEqual(told(observed, file('b.txt', null)), said);
    assert.deepEqual(told({ ...observed, tasks: ['T1', 'T2'] }), []);
    const both = { ...observed, tasks: ['C1', 'T1'], unannounced: ['C1', 'T1'] };
    assert.deepEqual(told(both), said);
  });

  it('says nothing of that where commands alone changed a file, because a command announces nothing', () => {
    const tasks = ['C1', 'C2'];
    assert.deepEqual(told({ ...file('a.txt', null), tasks, unannounced: tasks }), []);
  });

  it('names three such files and counts the others', () => {
    const many = ['a', 'b', 'c', 'd', 'e'].map((name) => file(name, 'mode 644 -> 755'));
    assert.equal(told(...many).length, 4);
    assert.equal(told(...many).at(-1), 'Of 2 more something changed that is not seen here.');
  });
});
