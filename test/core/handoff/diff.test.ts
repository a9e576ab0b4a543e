import assert from 'node:assert/strict';
import type { MissionHandoff } from '../../../src/contracts/handoff';
import { diffProblem, type PatchedPath } from '../../../src/core/handoff/diff';
import { recordOf, type Left } from '../../../src/base/fileState';
import type { ApprovedPlan } from '../../../src/core/plan/approvedPlan';

const sha256 = 'A'.repeat(64);
const tasks = [{ task_id: 'T1', paths: ['docs'], forbidden_paths: ['docs/secret', 'docs/caf\u00e9', 'docs/later/x'] }];

const plain: Left = { kind: 'file', sha256, mode: '644' };
const linkTo = (target: string): Left => ({ kind: 'link', target });

/** What the judge says of a diff that touches one path, and of a bundle that claims just that, or another state. */
function judged(path: string, case_insensitive: boolean, left = plain, claimed = left): string | null {
  const patched: PatchedPath[] = [{ path, left }];
  const change = { task_id: 'T1', path, before_sha256: null, ...recordOf(claimed), in_diff: true, why: null };
  const given: Pick<MissionHandoff, 'changes'> = { changes: [change] };
  return diffProblem(patched, given, { tasks } as unknown as ApprovedPlan, { case_insensitive })?.code ?? null;
}

describe('the diff of a handoff', () => {
  it('does not get into a forbidden path by another spelling where the file system reads it as the same', () => {
    for (const path of ['docs/SECRET/a', 'Docs/secret/a', 'docs/cafe\u0301/a', 'docs/CAFE\u0301']) {
      assert.equal(judged(path, true), 'SCOPE_VIOLATION', path);
      assert.equal(judged('docs/link', true, linkTo(`../${path}`)), 'SCOPE_VIOLATION', path);
    }
    assert.equal(judged('docs/SECRET/a', false), null);
    assert.equal(judged('Docs/a', true), null);
    assert.equal(judged('Docs/a', false), 'SCOPE_VIOLATION');
  });

  it('puts no link on the way to a forbidden path', () => {
    assert.equal(judged('docs/later', false, linkTo('mine')), 'SCOPE_VIOLATION');
    assert.equal(judged('docs/late', false, linkTo('mine')), null);
  });

  it('leaves the kind, the mode and the target that the handoff claims', () => {
    for (const [left, claimed] of [
      [plain, { ...plain, mode: '755' }],
      [{ ...plain, mode: '755' }, plain],
      [plain, linkTo('b')],
      [linkTo('b'), plain],
      [linkTo('b'), linkTo('c')],
      [{ kind: 'nothing' }, plain],
      [plain, { kind: 'unknown', why: 'x' }],
    ] as const)
      assert.equal(judged('docs/a', false, left, claimed), 'LEDGER_INCONSISTENT', JSON.stringify([left, claimed]));
    assert.equal(judged('docs/a', false, plain, { ...plain, mode: null }), null);
  });
});
