import assert from 'node:assert/strict';
import type { RawChange } from '../../../src/core/observation/change';
import { caseSensitive } from '../../../src/core/paths/compare';
import { isBeyondReach } from '../../../src/core/observation/writablePlaces';
import { isAsBefore } from '../../../src/core/observation/pathState';
import { changedSince } from '../../../src/core/observation/verifyChange';

describe('what verify commands changed', () => {
  it('is still known to lie where a sandbox could not write, where it is as it was before the worker', () => {
    const staged: RawChange = {
      ...{ path: '.git/index', kind: 'git', before_sha256: null, after_sha256: '1', resolved_path: null },
      ...{ changed_at: null, detail: 'notes.md is staged', lies_at: ['.git/index'] },
    };
    const [undone, ...more] = changedSince([staged], []);
    assert.deepEqual(more, []);
    assert.equal(undone?.undone, true);
    assert.equal(isBeyondReach(undone, [{ writable: ['docs/out'], read_only: [] }], caseSensitive), true);
  });

  it('has on both sides what was there before, where it is as it was before the worker', () => {
    const head: RawChange = {
      ...{ path: '.git/HEAD', kind: 'git', before_sha256: 'A', after_sha256: 'B', resolved_path: null },
      ...{ changed_at: null, detail: 'main -> topic', before_says: 'main', after_says: 'topic' },
    };
    const [undone] = changedSince([head], []);
    const now = {
      path: '.git/HEAD',
      kind: 'git',
      found: 'fact',
      sha256: 'A',
      mode: null,
      says: 'main',
      git: null,
    } as const;
    assert.ok(undone && isAsBefore(undone, now));
    assert.equal(undone.after_says, 'main');
  });
});
