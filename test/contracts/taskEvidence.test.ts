import assert from 'node:assert/strict';
import { taskEvidenceSchema } from '../../src/contracts/taskEvidence';

const start = {
  contract_version: 'S2-B-06.v1',
  task_id: 'T2',
  description: 'Create the validator',
  plan_id: 'RGPT-S2-B-04-001',
  notes: 'before',
  started_at_utc: '2025-12-21T16:30:43Z',
};
const end = {
  contract_version: 'S2-B-06.v1',
  plan_id: 'P',
  task_id: 'T1',
  started_at_utc: null,
  ended_at_utc: '2025-12-21T16:40:43Z',
  status: 'SUCCESS',
  notes: 'after',
  commit_sha: '',
};

describe('TASK_<task_id>.json', () => {
  it('accepts START and END of the original tools', () => {
    assert.equal(taskEvidenceSchema.safeParse(start).success, true);
    assert.equal(taskEvidenceSchema.safeParse(end).success, true);
  });

  it('refuses other statuses, types and ids', () => {
    for (const wrong of [
      { status: 'DONE' },
      { task_id: 'a/b' },
      { notes: 1 },
      { attempts: {} },
      { started_at_utc: 5 },
    ]) {
      assert.equal(taskEvidenceSchema.safeParse({ ...end, ...wrong }).success, false, JSON.stringify(wrong));
    }
  });
});
