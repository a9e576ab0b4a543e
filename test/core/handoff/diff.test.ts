import assert from 'node:assert/strict';
import type { MissionHandoff } from '../../../src/contracts/handoff';
import { diffProblem, type PatchedPath } from '../../../src/core/handoff/diff';
import type { ApprovedPlan } from '../../../src/core/plan/approvedPlan';

const sha256 = 'A'.repeat(64);
const tasks = [{ task_id: 'T1', paths: ['docs'], forbidden_paths: ['docs/secret', 'docs/caf\u00e9', 'docs/later/x'] }];

/** What the judge says of a diff that touches one path, and of a bundle that claims just that. */
function judged(path: string, case_insensitive: boolean, link: string | null = null): string | null {
  const patched: PatchedPath[] = [{ path, sha256: link === null ? sha256 : null, link }];
  const given = { changes: [{ task_id: 'T1', path, sha256, in_diff: true, why: null }] } as unknown as MissionHandoff;
  return diffProblem(patched, given, { tasks } as unknown as ApprovedPlan, { case_insensitive })?.code ?? null;
}

describe('the diff of a handoff', () => {
  it('does not get into a forbidden path by another spelling where the file system reads it as the same', () => {
    for (const path of ['docs/SECRET/a', 'Docs/secret/a', 'docs/cafe\u0301/a', 'docs/CAFE\u0301']) {
      assert.equal(judged(path, true), 'SCOPE_VIOLATION', path);
      assert.equal(judged('docs/link', true, `../${path}`), 'SCOPE_VIOLATION', path);
    }
    assert.equal(judged('docs/SECRET/a', false), null);
    assert.equal(judged('Docs/a', true), null);
    assert.equal(judged('Docs/a', false), 'SCOPE_VIOLATION');
  });

  it('puts no link on the way to a forbidden path', () => {
    assert.equal(judged('docs/later', false, 'mine'), 'SCOPE_VIOLATION');
    assert.equal(judged('docs/late', false, 'mine'), null);
  });
});
