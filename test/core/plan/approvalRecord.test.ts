import assert from 'node:assert/strict';
import { judgeApproval, type ApprovalQuestion, type RecordedApproval } from '../../../src/core/plan/approvalRecord';

const here = { workspace_dir: '/work/a', machine_id: 'machine' };
const record = { ...here, plan_sha256: 'A', by: 'Ann', at: '2026-01-01T00:00:00.000Z', nonce: 'n' };
const recorded = (more: Partial<RecordedApproval> = {}, changed: object = {}): RecordedApproval => ({
  by: 'Ann',
  at: record.at,
  record: { ...record, ...changed },
  sealed: true,
  used_by: null,
  ...more,
});
const question: ApprovalQuestion & { readonly here: typeof here } = {
  ...{ risk_level: 2, now: '2026-01-01T12:00:00.000Z', hours: 24, here },
};

describe('whether an approval counts', () => {
  const table: readonly (readonly [string, readonly RecordedApproval[], Partial<typeof question>, RegExp | null])[] = [
    ['nothing recorded', [], {}, /were not approved on this machine/],
    ['sealed here', [recorded()], {}, null],
    ['without a seal', [recorded({ record: null, sealed: false })], { risk_level: 1 }, /without a seal/],
    [
      'with a foreign seal',
      [recorded({ sealed: false })],
      { risk_level: 0 },
      /came with the repository, or the key was lost/,
    ],
    ['of another machine', [recorded({}, { machine_id: 'x' })], { risk_level: 1 }, /another machine/],
    ['of another workspace', [recorded({}, { workspace_dir: '/b' })], { risk_level: 1 }, /another workspace, \/b/],
    [
      'by nobody',
      [recorded({}, { by: 'AUTO' })],
      { risk_level: 0 },
      /only a person approves, and AUTO names no person/,
    ],
    ['used', [recorded({ used_by: 'M1' })], {}, /counts for one mission, and M1 has used it/],
    ['used, at risk 1', [recorded({ used_by: 'M1' })], { risk_level: 1 }, null],
    ['expired', [recorded()], { now: '2026-01-02T00:00:00.001Z' }, /counts for 24 hours/],
    ['at its last moment', [recorded()], { now: '2026-01-02T00:00:00.000Z' }, null],
    ['expired, at risk 1', [recorded()], { risk_level: 1, now: '2027-01-01T00:00:00.000Z' }, null],
    [
      'from the future, at risk 1',
      [recorded({}, { at: '2026-01-01T13:00:00.000Z' })],
      { risk_level: 1 },
      /given at 2026-01-01 13:00 UTC, which is later than now/,
    ],
    [
      'later than the last record',
      [recorded({}, { at: '2026-01-01T11:00:00.000Z' })],
      { last: '2026-01-01T10:00:00.000Z' },
      /later than now or than the last record/,
    ],
    ['seconds ahead, because a clock was set right', [recorded({}, { at: '2026-01-01T12:00:30.000Z' })], {}, null],
    ['used, and approved again', [recorded({ used_by: 'M1' }), recorded({}, { nonce: 'm' })], {}, null],
    ['approved, then a forged one on top', [recorded(), recorded({ sealed: false })], {}, null],
  ];
  for (const [name, records, more, says] of table) {
    it(`${name}: ${says === null ? 'it does' : 'it does not'}`, () => {
      const verdict = judgeApproval(records, { ...question, ...more });
      assert.equal(verdict.counts, says === null, JSON.stringify(verdict));
      if (!verdict.counts && says) assert.match(verdict.why, says);
    });
  }

  it('of several that do, the last one is named', () => {
    const later = recorded({ by: 'Bob' }, { by: 'Bob', nonce: 'm' });
    const verdict = judgeApproval([recorded(), later, recorded({ sealed: false })], question);
    assert.deepEqual(verdict, {
      counts: true,
      approved: { by: 'Bob', at: record.at, nonce: 'm', workspace_dir: record.workspace_dir },
      once: true,
    });
  });

  it('a key that cannot be used is why', () => {
    const verdict = judgeApproval([recorded()], { ...question, here: { problem: 'the key is a link' } });
    assert(!verdict.counts);
    assert.match(verdict.why, /the key is a link/);
  });
});
