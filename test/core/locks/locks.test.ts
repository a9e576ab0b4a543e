import assert from 'node:assert/strict';
import {
  conflictsAmong,
  lockConflict,
  lockIndex,
  minimalScope,
  type NormalLock,
} from '../../../src/core/locks/conflicts';
import { lockPath, lockSurroundings } from '../../../src/core/locks/lockPath';
import { validateLocks } from '../../support/verdicts';

const anyCase = lockSurroundings({ case_insensitive: true }, {});

describe('lock paths', () => {
  it('have one normal form', () => {
    for (const [text, path] of [
      [' src ', 'src'],
      ['./src//lib/', 'src/lib'],
      ['src\\lib', 'src/lib'],
      ['.', '.'],
      ['/', '.'],
      ['//', '.'],
      ['/.', '.'],
      ['./', '.'],
      ['\\', '.'],
    ] as const)
      assert.deepEqual(lockPath(text), { ok: true, path, key: path }, text);
  });

  it('are refused when they could mean another place', () => {
    for (const [text, problem] of [
      ['', 'empty'],
      ['  ', 'empty'],
      ['..', 'parent_traversal'],
      ['src\\..\\lib', 'parent_traversal'],
      ['/src', 'absolute'],
      ['//srv/x', 'absolute'],
      ['\\\\server\\x', 'absolute'],
      ['C:\\x', 'drive_letter'],
      ['~', 'home'],
      ['src/*', 'glob'],
      ['a\nb', 'invisible_character'],
    ] as const)
      assert.deepEqual(lockPath(text), { ok: false, problem }, text);
  });

  it('are compared as the file system compares names, also their Unicode forms', () => {
    assert.equal(lockConflict('Src', 'src/a'), false);
    assert.equal(lockConflict('Src', 'src/a', anyCase), true);
    assert.equal(lockConflict('a\u0308', '\u00e4/x', anyCase), true);
  });

  it('are followed through links before they are compared', () => {
    const around = lockSurroundings(
      { case_insensitive: false },
      {
        shared: 'packages/shared',
        'packages/shared/deep': 'lib',
        top: '.',
        out: null,
        bad: '../elsewhere',
        a: 'b/c',
        'b/c': 'a',
      },
    );
    assert.deepEqual(lockPath('shared/deep/x', around), { ok: true, path: 'shared/deep/x', key: 'lib/x' });
    assert.deepEqual(lockPath('top', around), { ok: true, path: 'top', key: '.' });
    assert.deepEqual(lockPath('top/src', around), { ok: true, path: 'top/src', key: 'src' });
    assert.deepEqual(lockPath('shared2', around), { ok: true, path: 'shared2', key: 'shared2' });
    assert.deepEqual(lockPath('out/x', around), { ok: false, problem: 'outside_workspace' });
    assert.deepEqual(lockPath('bad', around), { ok: false, problem: 'outside_workspace' });
    assert.deepEqual(lockPath('a/x', around), { ok: false, problem: 'link_loop' });
    const folded = lockSurroundings({ case_insensitive: true }, { Shared: 'Packages/Shared' });
    assert.equal(lockConflict('SHARED/x', 'packages/shared/X', folded), true);
  });
});

describe('lock conflicts', () => {
  const paths = ['.', 'src', 'src2', 'src/a', 'src/a.b', 'src/a/b', 'src a', 'src-a/b', 'lib', 'src/a/b/c', 'src'];
  const locks: readonly NormalLock[] = paths.map((path, index) => ({
    index,
    task_id: `T-${index % 3}`,
    path,
    key: path,
  }));

  it('do not depend on the order, and are those of every pair', () => {
    const pairs = (list: readonly NormalLock[]): readonly string[] =>
      conflictsAmong(list)
        .map(({ first, second }) => `${first.index}-${second.index}`)
        .sort();
    const expected = locks.flatMap((left) =>
      locks
        .filter((right) => right.index > left.index && lockConflict(left.path, right.path))
        .map((right) => `${left.index}-${right.index}`),
    );
    const found = pairs(locks);
    for (const pair of found) assert.ok(expected.includes(pair), pair);
    // Every lock that is in a conflict is named; of equal locks one stands for the others.
    const named = (list: readonly string[]): unknown => [...new Set(list.flatMap((pair) => pair.split('-')))].sort();
    assert.deepEqual(named(found), named(expected));
    for (const turned of [[...locks].reverse(), [...locks].sort((a, b) => (a.path < b.path ? 1 : -1))])
      assert.deepEqual(pairs(turned), found);
  });

  it('of one lock are found among many others', () => {
    for (const taskId of ['T-0', 'T-1', 'T-9']) {
      for (const path of [...paths, 'new', 'src/a/b/c/d']) {
        const inTheWay = lockIndex(locks)({ index: 0, task_id: taskId, path, key: path });
        const expected = locks.some((lock) => lock.task_id !== taskId && lockConflict(lock.path, path));
        assert.equal(inTheWay !== null, expected, `${taskId} ${path}`);
        if (inTheWay !== null) assert.ok(inTheWay.task_id !== taskId && lockConflict(inTheWay.path, path));
      }
    }
    assert.equal(lockIndex([])({ index: 0, task_id: 'T-1', path: '.', key: '.' }), null);
  });

  it('inside one scope go away when what is covered is left out', () => {
    assert.deepEqual(minimalScope(['src/a', 'lib', 'src', 'src/b', './lib/', '../x']), ['lib', 'src']);
    assert.deepEqual(minimalScope(['a', 'A/b'], anyCase), ['a']);
    assert.deepEqual(minimalScope(['a', '.']), ['.']);
  });

  it('do not count between two tasks whose work waits in layers, but with every other task', () => {
    const lock = (task_id: string, x_layered?: true): object => ({ task_id, resource: 'lib', active: true, x_layered });
    const codeOf = (...active_locks: readonly object[]): string =>
      validateLocks({
        value: { active_locks: active_locks.map((one) => JSON.parse(JSON.stringify(one)) as object) },
        shape: [],
      }).code;
    assert.equal(codeOf(lock('A', true), lock('B', true)), 'OK');
    for (const order of [
      [lock('A', true), lock('B', true), lock('C')],
      [lock('C'), lock('A', true), lock('B', true)],
      [lock('A', true), lock('A', true)],
    ])
      assert.equal(codeOf(...order), 'LOCK_CONFLICT');
  });

  it('are judged as the caller knows the file system, whatever the document says', () => {
    const value = {
      active_locks: [{ task_id: 'T-1', resource: 'Src', active: true }],
      requested: { task_id: 'T-2', resources: ['src'] },
    };
    assert.equal(validateLocks({ value, shape: [] }).code, 'OK');
    assert.equal(validateLocks({ value, shape: [] }, anyCase).code, 'LOCK_CONFLICT');
  });
});
