import assert from 'node:assert/strict';
import type { HumanDecision } from '../../../src/contracts/record/header';
import { changedSinceAccepted, type Accepted } from '../../../src/core/lifecycle/changes/outstandingRead';
import { isAsBefore, type PathStanding } from '../../../src/core/observation/pathState';

const decision: HumanDecision = {
  actor: { kind: 'human', name: 'Ada' },
  reason: 'mine',
  at: '2026-01-01T00:00:00.000Z',
};
const nothing = { before_sha256: null, found_sha256: null, resolved_path: null, detail: null } as const;

describe('what a person accepted', () => {
  it('is a link to one place: a link to another place blocks anew', () => {
    const entry = accepted({ kind: 'added', after_link: 'a -> b' });
    const link = (says: string): PathStanding => now({ kind: 'added', found: 'symlink', says });
    assert.equal(changedSinceAccepted(entry, link('a -> b'), 2), null);
    const blocks = changedSinceAccepted(entry, link('a'), 2) ?? assert.fail();
    assert.ok(isAsBefore({ ...blocks, kind: 'modified' }, link('a -> b')), 'it can be put back');
    assert.equal(blocks.kind, 'modified');
    const { why, accepted_before_by, before_link, after_link } = blocks;
    assert.deepEqual([why, accepted_before_by], ['is no longer what Ada accepted', 'Ada']);
    assert.deepEqual([before_link, after_link], ['a -> b', 'a']);
  });

  it('is a mode, and a flag of git', () => {
    const mode = accepted({
      kind: 'mode_changed',
      before_sha256: 'A',
      found_sha256: 'A',
      before_mode: '0644',
      after_mode: '0755',
    });
    const file = (text: string): PathStanding => now({ kind: 'mode_changed', found: 'file', sha256: 'A', mode: text });
    assert.equal(changedSinceAccepted(mode, file('0755'), 2), null);
    assert.equal(changedSinceAccepted(mode, file('0644'), 2), null, 'as before the change');
    assert.equal(changedSinceAccepted(mode, file('0777'), 2)?.after_mode, '0777');

    const flag = accepted({ kind: 'index_flag', after_says: 'assume-unchanged' });
    const flagged = (says: string | null): PathStanding => now({ kind: 'index_flag', found: 'fact', says });
    assert.equal(changedSinceAccepted(flag, flagged('assume-unchanged'), 2), null);
    assert.equal(changedSinceAccepted(flag, flagged(null), 2), null, 'as before the change');
    assert.equal(changedSinceAccepted(flag, flagged('skip-worktree'), 2)?.detail, 'assume-unchanged -> skip-worktree');
  });
});

function accepted(more: Pick<Accepted, 'kind'> & Partial<Accepted>): Accepted {
  const blocks = { why: 'changed', category: 'external_change', attempt: 1 } as const;
  return { path: 'x', ...nothing, ...blocks, settled: { how: 'accepted', decision }, ...more };
}

function now(more: Pick<PathStanding, 'kind' | 'found'> & Partial<PathStanding>): PathStanding {
  return { path: 'x', sha256: null, mode: null, says: null, git: null, ...more };
}
