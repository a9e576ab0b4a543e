import assert from 'node:assert/strict';
import { claimDifferences } from '../../../src/core/observation/claim';
import type { Change } from '../../../src/core/observation/change';

describe('claim against observation', () => {
  it('is equal for the same files in any spelling', () => {
    const observed = [change('src/a.ts'), change('src/b.ts', 'added'), change('src/c.ts', 'deleted')];
    const claims = [
      { resource: './src//a.ts', action: 'modified' },
      { resource: '/home/p/work/src/b.ts', action: 'created' },
      { resource: 'src\\c.ts', action: 'removed' },
    ];
    assert.deepEqual(claimDifferences(claims, observed, { roots: ['/home/p/work/'] }), []);
  });

  it('names what is only on one side', () => {
    assert.deepEqual(
      claimDifferences([claim('src/a.ts'), claim('src/x.ts')], [change('src/a.ts'), change('src/b.ts')]),
      ['claimed, but not observed: src/x.ts', 'observed, but not claimed: src/b.ts (modified)'],
    );
  });

  it('takes no folder for the files in it, and sees that something in it changed', () => {
    const observed = [change('src/a/b.ts')];
    assert.deepEqual(claimDifferences([claim('src'), claim('src/a/')], observed), [
      'observed, but not claimed: src/a/b.ts (modified)',
    ]);
    assert.deepEqual(claimDifferences([claim('src/a/b.ts'), claim('src/a')], observed), []);
    assert.deepEqual(claimDifferences([claim('src/a/b.ts'), claim('sr'), claim('src/a/b')], observed), [
      'claimed, but not observed: sr',
      'claimed, but not observed: src/a/b',
    ]);
  });

  it('finds a name in the Unicode form that the disk has', () => {
    const [written, claimed] = ['café/é.ts'.normalize('NFD'), 'café/é.ts'.normalize('NFC')];
    assert.deepEqual(claimDifferences([claim(claimed)], [change(written)]), []);
    assert.deepEqual(claimDifferences([claim(written)], [change(claimed)]), []);
  });

  it('takes either end of a file that was only moved for both, and no other deletion', () => {
    const gone = { ...change('a', 'deleted'), before_sha256: 'A1' };
    const came = { ...change('b', 'added'), after_sha256: 'A1' };
    for (const resource of ['a', 'b'])
      assert.deepEqual(claimDifferences([{ resource, action: 'renamed' }], [gone, came]), [], resource);
    assert.deepEqual(claimDifferences([claim('b')], [{ ...gone, before_sha256: 'B2' }, came]), [
      'observed, but not claimed: a (deleted)',
    ]);
    const copy = { ...came, path: 'c' };
    assert.deepEqual(claimDifferences([claim('b')], [came, copy]), ['observed, but not claimed: c (added)']);
    const other = { ...gone, path: 'z' };
    assert.deepEqual(claimDifferences([{ resource: 'a', action: 'deleted' }], [gone, other]), [
      'observed, but not claimed: z (deleted)',
    ]);
    const edited = { ...change('b'), before_sha256: 'C3', after_sha256: 'A1' };
    assert.equal(claimDifferences([claim('b')], [gone, edited]).length, 1);
  });

  it('does not expect what is scratch or what tools leave in folders of their own to be claimed', () => {
    const observed = [
      change('src/a.py'),
      change('src/__pycache__/a.cpython-313.pyc', 'added'),
      { ...change('build/x'), scratch: true as const },
    ];
    assert.deepEqual(claimDifferences([claim('src/a.py')], observed), []);
    assert.deepEqual(claimDifferences([claim('src/a.py')], [...observed, change('src/__pycache__.py', 'added')]), [
      'observed, but not claimed: src/__pycache__.py (added)',
    ]);
  });

  it('does not match a path of another place', () => {
    for (const resource of ['/etc/passwd', '../x', 'C:\\x', '.', '/home/p/workshop/a']) {
      const differences = claimDifferences([claim(resource)], [], { roots: ['/home/p/work'] });
      assert.equal(differences.length, 1, resource);
    }
  });

  it('compares clear words for what was done; a rename is a deletion and an addition', () => {
    assert.equal(claimDifferences([{ resource: 'a', action: 'deleted' }], [change('a')]).length, 1);
    assert.equal(claimDifferences([{ resource: 'a', action: 'Modified' }], [change('a', 'deleted')]).length, 1);
    const renamed = [
      { resource: 'a', action: 'renamed' },
      { resource: 'b', action: 'renamed' },
    ];
    assert.deepEqual(claimDifferences(renamed, [change('a', 'deleted'), change('b', 'added')]), []);
  });

  it('does not expect the worker to claim what a person saved', () => {
    assert.deepEqual(claimDifferences([], [change('a', 'modified', 'external_change')]), []);
    assert.deepEqual(claimDifferences([claim('a')], [change('a', 'modified', 'external_change')]), []);
  });
});

function claim(resource: string) {
  return { resource, action: 'edit' };
}

function change(
  path: string,
  kind: Change['kind'] = 'modified',
  attribution: Change['attribution'] = 'worker',
): Change {
  const facts = { before_sha256: null, after_sha256: null, resolved_path: null, changed_at: null, detail: null };
  return { path, kind, attribution, ...facts, in_scope: true, violation: null };
}
