import assert from 'node:assert/strict';
import { firstHolder, inScope, overlaps, within } from '../../../src/core/paths/compare';
import { reservedFolderOf } from '../../../src/core/paths/reserved';
import { pathProblems, readWrittenPath } from '../../../src/core/paths/writtenPath';
import { oddPaths } from './oddPaths';

const insensitive = { case_insensitive: true };

describe('lock-scope paths', () => {
  it('of many tasks are looked up as each of them would be asked', () => {
    const scopes = [['A/b'], ['a', 'x y'], [], ['a/b'], ['src', 'a'], ['ä'], ['a..b/[id]']];
    const asked = [
      ...oddPaths,
      'a',
      'a/b',
      'A/B',
      'a/b/c',
      'ab',
      'src/a',
      'x y/z',
      'a\u0308/x',
      'a..b/[id]/p',
      '.git/a',
      'b',
    ];
    for (const all of [scopes, [...scopes, ['.']], [['.'], ...scopes]])
      for (const comparison of [insensitive, { case_insensitive: false }]) {
        const holderOf = firstHolder(all, comparison);
        for (const path of asked)
          assert.equal(
            holderOf(path),
            all.findIndex((paths) => inScope(path, paths, comparison)),
            path,
          );
      }
  });

  it('have one spelling', () => {
    for (const [text, path] of [
      ['src', 'src'],
      ['./src//lib/', 'src/lib'],
      ['src/./lib', 'src/lib'],
      ['docs/a file.md', 'docs/a file.md'],
      ['ä/ö.txt', 'ä/ö.txt'],
      ['a..b/c', 'a..b/c'],
      ['.env', '.env'],
      ['app/[id]/page.tsx', 'app/[id]/page.tsx'],
      ['console', 'console'],
      ['com10', 'com10'],
      ['abcdefgh~1', 'abcdefgh~1'],
    ] as const) {
      assert.deepEqual(readWrittenPath(text), { ok: true, path }, text);
    }
  });

  it('with .. are not sent to the place where they end, which may be absolute or outside', () => {
    assert.equal(pathProblems.parent_traversal, 'has .. in it; name a place inside the workspace without it');
  });

  it('refuse what could mean another place', () => {
    for (const [text, problem] of [
      ['', 'empty'],
      ['  ', 'empty'],
      ['.', 'workspace_root'],
      ['./', 'workspace_root'],
      ['/etc', 'absolute'],
      ['\\\\server\\share', 'absolute'],
      ['~/x', 'home'],
      ['C:/x', 'drive_letter'],
      ['c:x', 'drive_letter'],
      ['src\\lib', 'backslash'],
      ['../x', 'parent_traversal'],
      ['a/../../x', 'parent_traversal'],
      ['a/..', 'parent_traversal'],
      ['src/*.ts', 'glob'],
      ['src/a?.ts', 'glob'],
      ['src/{a,b}.ts', 'glob'],
      ['a\u0000b', 'invisible_character'],
      ['a\nb', 'invisible_character'],
      ['a\u200bb', 'invisible_character'],
      ['a\u202eb', 'invisible_character'],
      ['a\ufe0f', 'invisible_character'],
      ['a\u00a0b', 'invisible_character'],
      ['a\ufffd', 'replacement_character'],
      [' a', 'outer_space'],
      ['a /b', 'outer_space'],
      ['a.', 'trailing_dot'],
      ['a./b', 'trailing_dot'],
      ['.../b', 'trailing_dot'],
      ['ab:c', 'colon'],
      ['x/a:b', 'colon'],
      ['a/b::$DATA', 'colon'],
      ['PROGRA~1/x', 'short_name'],
      ['src/aux.c', 'device_name'],
      ['NUL', 'device_name'],
      ['x/com1', 'device_name'],
      ['a'.repeat(1025), 'too_long'],
      ['a'.repeat(5000), 'too_long'],
    ] as const) {
      assert.deepEqual(readWrittenPath(text), { ok: false, problem }, JSON.stringify(text.slice(0, 20)));
    }
  });

  it('hold a path by whole segments', () => {
    assert.equal(within('src/a.ts', ['src']), true);
    assert.equal(within('src', ['src']), true);
    assert.equal(within('src2/a.ts', ['src']), false);
    assert.equal(within('Src/a.ts', ['src']), false);
    assert.equal(within('Src/a.ts', ['src'], insensitive), true);
    assert.equal(within('a\u0308/x', ['\u00e4'], insensitive), true);
    assert.equal(within('anything', ['.']), true);
    assert.equal(within('anything', []), false);
  });

  it('never hold the reserved folders', () => {
    assert.equal(inScope('docs/guide.md', ['docs']), true);
    assert.equal(inScope('docs/plans/PLAN_x.json', ['docs']), false);
    assert.equal(inScope('docs/ops/executions/x/TASK_a.json', ['docs/ops']), false);
    assert.equal(inScope('.mission-control/state.db', ['.']), false);
    assert.equal(reservedFolderOf('sub/.git/hooks/pre-commit'), '.git');
    assert.equal(reservedFolderOf('.GIT/config'), '.git');
    assert.equal(reservedFolderOf('sub/.mission-control'), '.mission-control');
    assert.equal(reservedFolderOf('sub/docs/plans'), null);
    for (const alias of [
      '.git.',
      '.git ',
      '.g\u200cit',
      'git~1',
      'GIT~2',
      '.git::$INDEX_ALLOCATION',
      '.g\u0131t',
      'a/.git\\x',
    ])
      assert.equal(reservedFolderOf(`${alias}/hooks`), '.git', alias);
    for (const alias of ['docs./plans ', 'doc\u017f/PLANS', 'docs/plans:x'])
      assert.equal(reservedFolderOf(alias), 'docs/plans', alias);
    assert.equal(reservedFolderOf('docs/ops/EXECUT~1/x'), 'docs/ops/executions');
    assert.equal(reservedFolderOf('missio~1/state.db'), '.mission-control');
    assert.equal(reservedFolderOf('Docs/Plans/x'), 'docs/plans');
    assert.equal(reservedFolderOf('docs/planss'), null);
    assert.equal(reservedFolderOf('.gitignore'), null);
  });

  it('overlap when one holds the other', () => {
    assert.equal(overlaps('src', 'src/a'), true);
    assert.equal(overlaps('src/a', 'src'), true);
    assert.equal(overlaps('src/a', 'src/b'), false);
    assert.equal(overlaps('.', 'src/b'), true);
  });
});
