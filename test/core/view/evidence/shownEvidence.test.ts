import assert from 'node:assert/strict';
import { shownEvidence, withDocuments, type FoundOnDisk } from '../../../../src/core/view/evidence/shownEvidence';

const found: FoundOnDisk = {
  plan_id: 'p',
  at: '2026-11-30T10:00:00.000Z',
  header: {
    mission_id: 'm',
    ended_at_utc: '2026-11-30T10:00:00Z',
    status: 'failed',
    reason: 'Canceled by Ada: x',
    approved_by: 'Ada',
    approved_at: '2026-11-30T09:00:00Z',
    success_criteria: [
      { criterion: 'validator_passes', result: 'met' },
      { criterion: 'no_scope_violation', result: 'accepted', accepted_by: ['Ada'] },
      { criterion: 7 },
    ],
    tasks: [
      { task_id: 'T1', status: 'SUCCESS', code: null, attempts: 1 },
      { task_id: 'T2', status: 'FAILED', code: 'VERIFY_FAILED', attempts: 2 },
      { task_id: {} },
      null,
    ],
  },
  tasks: ['T1', 'T2'],
  packets: [],
  handoff: null,
};

describe('what is shown of evidence without a journal', () => {
  it('says how the mission ended, who approved it, and what became of each criterion and task', () => {
    assert.deepEqual(shownEvidence(found).says.slice(1), [
      'Canceled by Ada: x.',
      'Approved by Ada at 2026-11-30 09:00 UTC.',
      'validator_passes: met.',
      'no_scope_violation: accepted by Ada.',
    ]);
    assert.deepEqual(
      shownEvidence(found).tasks.map(({ task_id, description }) => `${task_id}: ${description}`),
      ['T1: SUCCESS, 1 attempt', 'T2: FAILED (VERIFY_FAILED), 2 attempts'],
    );
  });

  it('says of each task who worked and what changed, and what people decided, not what a worker wrote', () => {
    const decision = { actor: { kind: 'human', name: 'Ada' }, reason: 'mended', at: '2026-11-30T09:30:00.000Z' };
    const change = (path: string, attribution: string): object => ({ path, attribution });
    const document = {
      ...{ task_id: 'T2', worker: 'claude', skipped: { decision: { ...decision, at: '2026-11-30T09:40:00.000Z' } } },
      attempts: [
        { changes: [change('src/a.ts', 'worker'), change('b', 'external_change')], claim: { packet: { decision } } },
        { changes: [change('src/a.ts', 'worker')], decided_by: { ...decision, outcome: 'retry-delegation' } },
        { answers: [{ decision: { ...decision, at: '2026-11-30T09:20:00.000Z' } }, { decision: 7 }], changes: 7 },
      ],
    };
    const shown = withDocuments(shownEvidence(found), [document, null, 'text', { attempts: [decision] }]);
    assert.deepEqual(shown.tasks[1], {
      ...{ task_id: 'T2', description: 'FAILED (VERIFY_FAILED), 2 attempts, changed src/a.ts', worker: 'claude' },
    });
    assert.deepEqual(shown.decisions, [
      '2026-11-30 09:20 UTC Ada: answer, T2: mended',
      '2026-11-30 09:30 UTC Ada: retry-delegation, T2: mended',
      '2026-11-30 09:40 UTC Ada: skip, T2: mended',
    ]);
  });

  it('names the tasks alone where the header says nothing of them, and at most a hundred', () => {
    const tasks = (header: unknown): readonly string[] =>
      shownEvidence({ ...found, header }).tasks.map(({ task_id, description }) => `${task_id}: ${description}`);
    const open = { state: 'LOCKED', tasks: [{ task_id: 'T1', status: null }] };
    for (const header of [null, [], 'text', { tasks: 'T1', success_criteria: {} }, open])
      assert.deepEqual(tasks(header), ['T1: has evidence', 'T2: has evidence'], JSON.stringify(header));
    const many = Array.from({ length: 150 }, (_, index) => ({ task_id: `T${index}`, status: 'SUCCESS', attempts: 1 }));
    const named = tasks({ ended_at_utc: 'x', tasks: many });
    assert.deepEqual([named.length, named.at(-1)], [101, ': and 50 more; the whole list is in docs/ops/executions/p']);
  });
});
