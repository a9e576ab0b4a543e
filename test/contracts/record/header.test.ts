import assert from 'node:assert/strict';
import { executionHeaderSchema } from '../../../src/contracts/record/header';

/** The shape of the header that the contract's own project committed (seed 001). */
const original = {
  plan_path: 'docs/plans/PLAN_RGPT-S2-B-04-001.json',
  user: 'someone',
  plan_id: 'RGPT-S2-B-04-001',
  contract_version: 'S2-B-06.v1',
  goal_id: 'EG-S2-A-003',
  plan_sha256: '504F6FB00F32B4A30004B6D6900889255491407309D8DDAD6D7572885651B522',
  state: 'LOCKED',
  host: 'MACHINE',
  started_at_utc: '2025-12-21T15:23:08Z',
};

describe('EXECUTION_HEADER.json', () => {
  it('accepts the original evidence and unknown fields', () => {
    assert.equal(executionHeaderSchema.safeParse(original).success, true);
    assert.equal(executionHeaderSchema.safeParse({ ...original, later_field: 1 }).success, true);
  });

  for (const field of [
    'contract_version',
    'plan_id',
    'goal_id',
    'plan_path',
    'plan_sha256',
    'started_at_utc',
    'state',
  ] as const) {
    it(`refuses a header without ${field}`, () => {
      const { [field]: removed, ...rest } = original;
      assert.ok(removed);
      assert.equal(executionHeaderSchema.safeParse(rest).success, false);
    });
  }

  for (const [field, value] of [
    ['state', 'DONE'],
    ['plan_id', '../up'],
    ['plan_sha256', 'sha256:abc'],
    ['started_at_utc', '2025-12-21 15:23:08'],
    ['contract_version', 'S2-B-07.v1'],
    ['tasks', {}],
    ['cancelled', 'no'],
    ['header_sha256', 'a'.repeat(64)],
  ] as const) {
    it(`refuses ${field} = ${JSON.stringify(value)}`, () => {
      assert.equal(executionHeaderSchema.safeParse({ ...original, [field]: value }).success, false);
    });
  }
});
