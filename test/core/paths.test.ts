import assert from 'node:assert/strict';
import { inScope, normalise, overlaps, reservedFolderOf, within } from '../../src/core/paths';

const insensitive = { case_insensitive: true };

describe('lock-scope paths', () => {
  it('have one spelling', () => {
    for (const [text, path] of [
      ['src', 'src'],
      ['./src//lib/', 'src/lib'],
      ['src/./lib', 'src/lib'],
      ['.', '.'],
      ['./', '.'],
      ['docs/a file.md', 'docs/a file.md'],
      ['ä/ö.txt', 'ä/ö.txt'],
      ['a..b/c', 'a..b/c'],
      ['.env', '.env'],
    ] as const) {
      assert.deepEqual(normalise(text), { ok: true, path }, text);
    }
  });

  it('refuse what could mean another place', () => {
    for (const [text, problem] of [
      ['', 'empty'],
      ['  ', 'empty'],
      ['/etc', 'absolute'],
      ['~/x', 'absolute'],
      ['C:/x', 'absolute'],
      ['c:x', 'absolute'],
      ['\\\\server\\share', 'absolute'],
      ['src\\lib', 'backslash'],
      ['../x', 'parent_traversal'],
      ['a/../../x', 'parent_traversal'],
      ['a/..', 'parent_traversal'],
      ['src/*.ts', 'glob'],
      ['src/a?.ts', 'glob'],
      ['src/[ab].ts', 'glob'],
      ['src/{a,b}.ts', 'glob'],
      ['a\u0000b', 'control_character'],
      ['a\nb', 'control_character'],
      ['a'.repeat(5000), 'too_long'],
    ] as const) {
      assert.deepEqual(normalise(text), { ok: false, problem }, JSON.stringify(text.slice(0, 20)));
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
