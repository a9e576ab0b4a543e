import type { SandboxReach } from '../../../src/contracts/launchEvidence';
import assert from 'node:assert/strict';
import type { AttributionInput } from '../../../src/core/observation/attribute';
import { attributed } from '../../support/attribution';
import type { RawChange } from '../../../src/core/observation/change';
import { isBeyondReach } from '../../../src/core/observation/writablePlaces';
import { caseSensitive } from '../../../src/core/paths/compare';

const out: SandboxReach = { writable: ['out'], read_only: ['out/lib/.git'] };

describe('the reach of a sandboxed launch', () => {
  const cases: readonly (readonly [string, Partial<RawChange> & { readonly path: string }, boolean])[] = [
    ['an approved folder', { path: 'out/a' }, false],
    ['the folder itself', { path: 'out' }, false],
    ['a name that only begins alike', { path: 'out2' }, true],
    ['a file beside it', { path: 'notes.md' }, true],
    ['what is sealed inside it', { path: 'out/lib/.git/config' }, true],
    ['a repository that can be made inside it', { path: 'out/.git/HEAD' }, false],
    ['a link that leads into it', { path: 'link', resolved_path: 'out/a' }, false],
    ['a fact of git', git('.git/refs/tags/v1', '.git/refs/tags/v1'), true],
    ['a fact of git that nobody looked at', { path: '.git/refs/tags/v1', kind: 'git' }, false],
    ['a hook that leads into it', git('.git/hooks/pre-commit', 'out/hooks/pre-commit'), false],
    ['a place of git that a launch can make', git('out/x/.git/commondir', '/elsewhere/.git/commondir'), false],
    ['a flag of the index', { path: 'out/a', kind: 'index_flag', lies_at: ['.git/index'] }, true],
    ['a shared repository elsewhere', git('.git/HEAD', '/repo/.git/HEAD'), true],
  ];
  for (const [name, change, beyond] of cases)
    it(`${beyond ? 'ends before' : 'holds'} ${name}`, () => {
      assert.equal(isBeyondReach(raw(change), [out], caseSensitive), beyond);
    });

  it('is that of all launches together', () => {
    const other: SandboxReach = { writable: ['notes.md'], read_only: [] };
    assert.equal(isBeyondReach(raw({ path: 'notes.md' }), [out, other], caseSensitive), false);
  });

  it('holds a new folder that is reported as one change and has a writable place in it', () => {
    const deep: SandboxReach = { writable: ['build/out'], read_only: [] };
    assert.equal(isBeyondReach(raw({ path: 'build' }), [deep], caseSensitive), false);
  });

  it('may be the workspace but for its entries, and folders outside it', () => {
    const root: SandboxReach = { writable: ['.', '/granted'], read_only: ['src', '.git'] };
    const beyond = (path: string): boolean => isBeyondReach(raw({ path }), [root], caseSensitive);
    assert.deepEqual(['new.txt', 'new/deep', 'src/a', 'src', '.git/x'].map(beyond), [false, false, true, true, true]);
    assert.equal(isBeyondReach(raw(git('.git/HEAD', '/granted/bare.git/HEAD')), [root], caseSensitive), false);
    assert.equal(isBeyondReach(raw(git('.git/HEAD', '/else/bare.git/HEAD')), [root], caseSensitive), true);
  });
});

describe('attribution of what the sandbox made impossible', () => {
  it('accuses no worker, whenever it happened, and blocks only where the mission relies on it', () => {
    for (const changed_at of ['2026-01-01T09:00:00.000Z', during, '2026-01-01T11:00:00.000Z', null]) {
      const { changes, verdict } = judge([raw({ path: 'notes.md', changed_at })]);
      const [change] = changes;
      assert.deepEqual(
        [change?.attribution, change?.violation, change?.by_others, change?.in_scope],
        ['external_change', null, true, false],
      );
      assert.deepEqual(verdict, { kind: 'clean' });
    }
    const relied = judge([raw({ path: 'notes.md' })], { reliedOn: () => 'is named by a command' });
    assert.equal(relied.verdict.kind, 'external_change');
    assert.equal(relied.changes[0]?.relied_on, 'is named by a command');
  });

  it('accuses the worker where it could write, and of what it announced', () => {
    assert.equal(judge([raw({ path: 'out/x/.git/HEAD', kind: 'git' })]).verdict.kind, 'scope_violation');
    assert.equal(judge([raw({ path: 'notes.md' })], { announced: ['notes.md'] }).verdict.kind, 'scope_violation');
    assert.equal(judge([raw({ path: 'notes.md' })], { reaches: [] }).verdict.kind, 'scope_violation');
  });

  it('leaves the work of the worker with it', () => {
    const { changes } = judge([raw({ path: 'out/a' })]);
    assert.deepEqual([changes[0]?.attribution, changes[0]?.by_others], ['worker', undefined]);
  });
});

const during = '2026-01-01T10:02:00.000Z';

function judge(changes: readonly RawChange[], more: Partial<AttributionInput> = {}) {
  return attributed({
    ...{ changes, paths: ['out'], forbidden_paths: [], external_saves: [], reaches: [out] },
    worker_started_at: '2026-01-01T10:01:00.000Z',
    worker_ended_at: '2026-01-01T10:03:00.000Z',
    ...more,
  });
}

function git(path: string, ...lies_at: readonly string[]): Partial<RawChange> & { readonly path: string } {
  return { path, kind: 'git', lies_at };
}

function raw(change: Partial<RawChange> & { readonly path: string }): RawChange {
  return {
    ...{ kind: 'modified', before_sha256: 'A', after_sha256: 'B', resolved_path: null, changed_at: during },
    detail: null,
    ...change,
  };
}
