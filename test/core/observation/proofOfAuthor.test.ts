import assert from 'node:assert/strict';
import { certainIn, type Proofs } from '../../../src/core/observation/proofOfAuthor';
import type { RawChange } from '../../../src/core/observation/change';
import { caseSensitive } from '../../../src/core/paths/compare';

const nothing: Proofs = { paths: ['src'], locked: [], claims: [], reaches: [], comparison: caseSensitive };

describe('a change that is the worker’s beyond doubt', () => {
  it('is a hook, a program that git starts, another repository or another history', () => {
    for (const path of [
      '.git/hooks/pre-commit',
      '.git/hooks at /elsewhere/pre-commit',
      '.git/config starts programs',
      '.git/config.worktree starts programs',
      '.git/config includes /elsewhere/config starts programs',
      '.git/modules/a/.git/hooks/post-merge',
      '.git/commondir',
      '.git/objects/info/alternates',
      '.git/refs/replace/0123',
    ])
      assert.equal(isCertain({ path, kind: 'git' }), true, path);
  });

  it('is no hook and no setting that went away, because what is gone starts nothing', () => {
    for (const path of ['.git/hooks/pre-commit', '.git/config starts programs', '.git/refs/replace/0123'])
      assert.equal(isCertain({ path, kind: 'git', after_sha256: null }), false, path);
  });

  it('is not what people, editors and git itself write', () => {
    for (const path of [
      '.git/config includes /elsewhere/config',
      '.git/HEAD',
      '.git/config',
      '.git/index',
      '.git/refs/heads/main',
      '.git/refs/tags/v1',
      '.git/refs/stash',
      '.git/info/exclude',
      '.git/MERGE_HEAD',
      '.git/rebase-merge/git-rebase-todo',
      'new/.git/HEAD',
    ])
      assert.equal(isCertain({ path, kind: 'git' }), false, path);
    for (const path of ['notes.md', 'src/secret/key', '.a.swp', '.idea/workspace.xml', 'docs/plans/PLAN_x.json'])
      assert.equal(isCertain({ path }), false, path);
    assert.equal(isCertain({ path: 'README.md', kind: 'index_flag' }), false);
  });

  it('is what its own result claims, whatever the form of its letters', () => {
    const claims = [{ resource: './caf\u00e9.md', action: 'modified' }];
    assert.equal(isCertain({ path: 'cafe\u0301.md' }, { claims }), true);
    assert.equal(isCertain({ path: 'cafe.md' }, { claims }), false);
    assert.equal(isCertain({ path: 'x' }, { claims: [{ resource: '../x', action: 'modified' }] }), false);
  });

  it('is a way out in its own folder: a link, a folder that looks like one of git’s or ours', () => {
    assert.equal(isCertain({ path: 'src/link', resolved_path: '/etc' }), true);
    assert.equal(isCertain({ path: 'link', resolved_path: '/etc' }), false);
    for (const path of ['src/.git/HEAD', 'src/deep/.git', 'src/.mission-control/x'])
      assert.ok(isCertain({ path }), path);
    // Where a whole workspace or a nested repository is approved, a person commits there as well.
    for (const path of ['.git/refs/heads/main', 'src/.git/HEAD', 'src/.git/refs/heads/main', 'src/.git/index'])
      assert.equal(isCertain({ path, kind: 'git' }, { paths: ['.', 'src'] }), false, path);
    assert.equal(isCertain({ path: 'src/.git/hooks/pre-commit', kind: 'git' }), true);
    assert.equal(isCertain({ path: 'src/.git/config starts programs', kind: 'git' }), true);
  });

  it('lies in paths of another task, where its own sandbox let every launch write', () => {
    const open = { writable: ['src', 'other'], read_only: [] };
    const locked = ['other'];
    assert.equal(isCertain({ path: 'other/x' }, { locked, reaches: [open] }), true);
    assert.equal(isCertain({ path: 'other/x' }, { locked }), false, 'no sandbox held it');
    assert.equal(
      isCertain({ path: 'other/x' }, { locked, reaches: [open, { writable: ['src'], read_only: [] }] }),
      false,
    );
    assert.equal(isCertain({ path: 'nobodys/x' }, { locked, reaches: [open] }), false);
  });

  it('lies not where a folder is open only because a file in it is approved', () => {
    const reaches = [{ writable: ['src', 'src/a.ts'], read_only: ['src/b.ts'] }];
    const [locked, paths] = [['src', 'lib'], ['src/a.ts']];
    assert.equal(isCertain({ path: 'src/new.ts', kind: 'added' }, { locked, paths, reaches }), false);
    const root = [{ writable: ['.', 'a.ts'], read_only: ['b.ts'] }];
    assert.equal(
      isCertain({ path: 'new.ts', kind: 'added' }, { locked: ['new.ts'], paths: ['a.ts'], reaches: root }),
      false,
    );
    const granted = [{ writable: ['src', 'src/a.ts', 'lib'], read_only: [] }];
    assert.equal(isCertain({ path: 'lib/x' }, { locked, paths, reaches: granted }), true, 'opened for itself');
  });
});

function isCertain(change: Pick<RawChange, 'path'> & Partial<RawChange>, more: Partial<Proofs> = {}): boolean {
  return certainIn({ ...nothing, ...more })({
    kind: 'modified',
    ...{ before_sha256: '1', after_sha256: '2', resolved_path: null, changed_at: null, detail: null },
    ...change,
  });
}
