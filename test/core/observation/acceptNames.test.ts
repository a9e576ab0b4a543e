import assert from 'node:assert/strict';
import { acceptNames, namesMeant, type OutstandingChange } from '../../../src/core/observation/outstanding';

function listed(...paths: readonly string[]): readonly OutstandingChange[] {
  return paths.map((path) => ({
    ...{ path, kind: path.startsWith('attempt:') ? 'unread' : path.startsWith('.git/') ? 'git' : 'added' },
    ...{ before_sha256: null, found_sha256: null, resolved_path: null, detail: null },
    ...{ why: 'is outside', category: 'external_change', attempt: 1 },
  }));
}

const many = (count: number, name: (n: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, n) => name(n));

describe('the names that accept a whole list', () => {
  it('are those of at most twenty changes, else of the top folders, else one for all files', () => {
    const few = many(20, (n) => `a/${n}`);
    assert.deepEqual(acceptNames(listed(...few)), few);
    assert.deepEqual(acceptNames(listed(...few, 'b', '-x', 'c/d')), ['a/', 'b', './-x', 'c/']);
    const wide = many(30, (n) => `d${n}/x`);
    assert.deepEqual(acceptNames(listed(...wide, '.git/HEAD', 'attempt:1')), ['./', '.git/', 'attempt:1']);
  });

  it('mean every change of the list together, and each no change twice', () => {
    for (const list of [
      listed(...many(20, (n) => `a/${n}`)),
      listed(...many(50, (n) => `a/${n}`), 'b', '-x', '-y/z', 'c/d'),
      listed(...many(50, (n) => `d${n}/x`), '.git/HEAD', '.git/config', '.github/x', 'attempt:1', '-x'),
    ]) {
      const meant = acceptNames(list).flatMap((name) => namesMeant(name, list));
      assert.equal(new Set(meant).size, meant.length);
      assert.equal(meant.length, list.length, meant.join());
    }
  });

  it('mean nothing that is not on the list, nor a folder without its slash', () => {
    const list = listed('a/b', 'ab/c', '.git/HEAD', 'attempt:1');
    for (const name of ['a', 'a/c', 'c/', '/', '', '../', 'attempt:', './b'])
      assert.deepEqual(namesMeant(name, list), [], name);
    assert.deepEqual(namesMeant('a/', list), ['a/b']);
    assert.deepEqual(namesMeant('./', list), ['a/b', 'ab/c']);
  });

  it('mean a name as it is shown, where it holds what a keyboard cannot type', () => {
    const list = listed('new\nline', 'x\u202ey/z', 'new\\nline');
    assert.deepEqual(namesMeant('new\\nline', list), ['new\\nline']);
    assert.deepEqual(namesMeant('new\\nline', listed('new\nline')), ['new\nline']);
    assert.deepEqual(namesMeant('x\\u202ey/z', list), ['x\u202ey/z']);
    assert.deepEqual(namesMeant('x\\u202ey/', list), ['x\u202ey/z']);
  });

  it('are one name for a repository that was made in a folder', () => {
    const list = listed('app/.git/HEAD', 'app/.git/config', 'app/.github/x', '.git/HEAD', 'a/b/.git');
    assert.deepEqual(acceptNames(list), ['app/.git/', 'app/.github/x', '.git/HEAD', 'a/b/.git']);
    assert.deepEqual(namesMeant('app/.git/', list), ['app/.git/HEAD', 'app/.git/config']);
  });
});
