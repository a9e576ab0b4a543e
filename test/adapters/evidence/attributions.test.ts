import assert from 'node:assert/strict';
import type { AttemptEvidence, TaskWithAttempts } from '../../../src/contracts/taskEvidence';
import { evidenceReader } from '../../../src/adapters/evidence/reader';
import { verifyEvidence } from '../../../src/engine/evidence/verify';
import { evidenceSample, planId } from './sample';
import { removeScratch } from '../scratch';

type Change = AttemptEvidence['changes'][number];

/** The errors of evidence in which both tasks also changed notes.md, out of scope, and succeeded. */
async function errorsOf(
  change: Partial<Change>,
  more: Partial<TaskWithAttempts> = {},
  attempt: Partial<AttemptEvidence> = {},
) {
  const notes: Change = {
    path: 'notes.md',
    kind: 'added',
    before_sha256: null,
    after_sha256: 'A'.repeat(64),
    resolved_path: null,
    detail: null,
    attribution: 'unattributed',
    in_scope: false,
    violation: null,
    ...change,
  };
  const sample = await evidenceSample({
    task: (facts) => ({
      ...facts,
      attempts: facts.attempts.map((one) => ({ ...one, changes: [...one.changes, notes], ...attempt })),
      ...more,
    }),
    ...(more.status === 'FAILED' && { header: (facts) => ({ ...facts, outcome: 'FAILED', status: 'failed' }) }),
  });
  const { findings } = await verifyEvidence(evidenceReader(sample.root, planId), null);
  return findings
    .filter(({ code }) => code === 'TASK_STATUS_MISMATCH')
    .map(({ message, pointer }) => [pointer, message]);
}

const doubt = 'lies outside the approved paths of the task';
const listed: NonNullable<TaskWithAttempts['outstanding']>[number] = {
  ...{ path: 'notes.md', kind: 'added', attempt: 1, before_sha256: null, resolved_path: null },
  ...{ found_sha256: 'a'.repeat(64), detail: null, why: 'changed', category: 'external_change' },
  settled: {
    how: 'accepted',
    decision: { actor: { kind: 'human', name: 'Ada' }, reason: 'mine', at: '2026-01-02T03:05:30.000Z' },
  },
};
const leftover: NonNullable<AttemptEvidence['verify_changes']>['changes'][number] = {
  ...{ path: 'notes.md', kind: 'added', left_sha256: null, after_sha256: 'A'.repeat(64) },
  ...{ attribution: 'unattributed', in_scope: false, blocks: null },
};

describe('the attributions of changes in evidence', () => {
  afterEach(removeScratch);

  const contradictions: readonly (readonly [string, Partial<Change>, RegExp])[] = [
    ['a doubt about a change in scope', { doubt, in_scope: true }, /as a doubt/],
    ['a doubt about a change of verify', { doubt, attribution: 'verify' }, /as a doubt/],
    ['a doubt that is a violation', { doubt, violation: doubt }, /as a doubt/],
    ['a change of others that is the worker’s', { by_others: true, attribution: 'worker' }, /by others/],
    ['a change that is relied on, and not of others', { relied_on: 'x', attribution: 'worker' }, /relied on/],
    ['SUCCESS with a doubt', { doubt }, /accepted notes\.md/],
    // It waited in a layer, so it is the worker's.
    ['SUCCESS with a doubt about the worker’s own', { doubt, attribution: 'worker' }, /accepted notes\.md/],
    ['SUCCESS with a change of nobody', {}, /accepted notes\.md/],
    [
      'SUCCESS with a change of others on which it relies',
      { attribution: 'external_change', by_others: true, relied_on: 'is named' },
      /accepted notes\.md/,
    ],
  ];
  for (const [name, change, says] of contradictions)
    it(`finds ${name}, although every digest fits`, async () => {
      const found = await errorsOf(change);
      assert.deepEqual(
        found.filter(([, message]) => says.test(message ?? '')).map(([pointer]) => pointer),
        ['/attempts/0/changes/1', '/attempts/0/changes/1'],
        JSON.stringify(found),
      );
    });

  it('finds a doubt in scope of a task that failed', async () => {
    assert.equal((await errorsOf({ doubt, in_scope: true }, { status: 'FAILED', code: 'X' })).length, 2);
  });

  it('finds an acceptance of other bytes, and one that is still open', async () => {
    for (const entry of [
      { ...listed, found_sha256: 'B'.repeat(64) },
      { ...listed, settled: null },
      { ...listed, settled: { how: 'gone', attempt: 2, at: '2026-01-02T03:05:30.000Z' } },
    ] as const)
      assert.equal((await errorsOf({ doubt }, { outstanding: [entry] })).length, 2);
  });

  it('finds nothing where a person accepted it, where it was undone, and where it did not block', async () => {
    assert.deepEqual(await errorsOf({ doubt }, { outstanding: [listed] }), []);
    const gone = { ...listed, settled: { how: 'gone', attempt: 1, at: '2026-01-02T03:05:30.000Z' } } as const;
    const undone = { kind: 'deleted', before_sha256: 'A'.repeat(64), after_sha256: null } as const;
    assert.deepEqual(await errorsOf(undone, { outstanding: [gone] }), []);
    // It was undone before the attempt, which changed it again.
    assert.equal((await errorsOf({}, { outstanding: [gone] })).length, 2);
    assert.deepEqual(await errorsOf({ scratch: true }), []);
    const verify_changes = { observed_sha256: 'C'.repeat(64), changes: [leftover] };
    assert.deepEqual(await errorsOf({}, {}, { verify_changes }), []);
    assert.deepEqual(await errorsOf({ doubt }, { status: 'FAILED', code: 'X' }), []);
  });
});
