import assert from 'node:assert/strict';
import { shownEvidence, type FoundOnDisk } from '../../../../src/core/view/evidence/shownEvidence';

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
      'Approved by Ada at 2026-11-30T09:00:00Z.',
      'validator_passes: met.',
      'no_scope_violation: accepted by Ada.',
      'Task T1: SUCCESS, 1 attempt.',
      'Task T2: FAILED (VERIFY_FAILED), 2 attempts.',
    ]);
  });

  it('names the tasks alone where the header says nothing of them, and at most a hundred', () => {
    const says = (header: unknown): readonly string[] => shownEvidence({ ...found, header }).says;
    for (const header of [null, [], 'text', { tasks: 'T1', success_criteria: {} }])
      assert.ok(says(header).includes('Tasks with evidence: T1, T2.'), JSON.stringify(header));
    const open = { state: 'LOCKED', tasks: [{ task_id: 'T1', status: null }] };
    assert.ok(says(open).includes('Tasks with evidence: T1, T2.'));
    const many = Array.from({ length: 150 }, (_, index) => ({ task_id: `T${index}`, status: 'SUCCESS', attempts: 1 }));
    const named = says({ ended_at_utc: 'x', tasks: many }).filter((line) => line.startsWith('Task T'));
    assert.deepEqual(
      [named.length, says({ ended_at_utc: 'x', tasks: many }).find((line) => line.startsWith('and '))],
      [100, 'and 50 more; the whole list is in docs/ops/executions/p'],
    );
  });
});
