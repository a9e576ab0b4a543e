import assert from 'node:assert/strict';
import type { Actor } from '../../../src/contracts/vocabulary/actors';
import type { SealedApproval } from '../../../src/core/plan/approvalRecord';
import { approvalVerdict, approvedOtherBytes, takeApproval } from '../../../src/engine/plans/approvals';
import type { Journal } from '../../../src/engine/ports/journal';
import type { Approvals } from '../../../src/engine/ports/engine';
import type { WorkspaceEvent } from '../../../src/engine/ports/workspaceEvents';

const at = '2026-01-01T00:00:00.000Z';
const here = { workspace_dir: '/work', machine_id: 'machine' };
const record: SealedApproval = { ...here, plan_sha256: 'A', by: 'Ann', at, nonce: 'n', mac_sha256: 'M' };
/** Every seal is of this user's key: what the entries say around it is what counts. */
const approvals: Approvals = {
  seal: () => assert.fail('nothing is sealed'),
  look: (records) => Promise.resolve({ here, seals: records.map(() => ({ sealed: true, used_by: null })) }),
  use: () =>
    Promise.resolve({ ok: false, refusal: { code: 'APPROVAL_RECORD_REQUIRED', reason: 'M1 has it.', next: [] } }),
};

const asked = { plan_id: 'P', plan_path: 'p', plan_sha256: 'A' };

async function counts(plan_sha256: string, name: string, sealed: SealedApproval): Promise<boolean | 'others' | 'none'> {
  const event: WorkspaceEvent = { type: 'PlanApproved', plan_id: 'P', plan_path: 'p', plan_sha256, reason: '', sealed };
  const actor: Actor = { kind: 'human', name };
  const records = { read: () => Promise.resolve([{ event, actor, at }]) } as unknown as Journal<WorkspaceEvent>;
  const verdict = await approvalVerdict(records, approvals, { ...asked, risk_level: 1 }, at);
  return verdict.counts || verdict.recorded === 'these' ? verdict.counts : verdict.recorded;
}

describe('a recorded approval', () => {
  it('counts for the bytes and the person that both its entry and its seal tell of', async () => {
    assert.equal(await counts('A', 'Ann', record), true);
    assert.equal(await counts('A', 'Eve', record), false);
    assert.equal(await counts('A', 'Ann', { ...record, by: 'Eve' }), false);
    assert.equal(await counts('A', 'Ann', { ...record, plan_sha256: 'B' }), false);
    assert.equal(await counts('B', 'Ann', record), 'others');
    assert.equal(await counts('B', 'Ann', { ...record, plan_sha256: 'B' }), 'others');
  });

  it('of other bytes binds the same plan or file, in other line ends or letter case, and no other plan', async () => {
    const recorded = async (plan_id: string, plan_path: string, plan_sha256: string): Promise<boolean> => {
      const event: WorkspaceEvent = { type: 'PlanApproved', plan_id, plan_path, plan_sha256, reason: '' };
      const entry = { event, actor: { kind: 'human', name: 'Ann' }, at };
      const records = { read: () => Promise.resolve([entry]) } as unknown as Journal<WorkspaceEvent>;
      const plan = { ...asked, other_forms: ['C'] };
      const verdict = await approvalVerdict(records, approvals, { ...plan, risk_level: 1 }, at);
      const others = !verdict.counts && verdict.recorded === 'others';
      assert.equal((await approvedOtherBytes(records, plan)) !== null, others);
      return others;
    };
    assert.equal(await recorded('P', 'elsewhere', 'B'), true);
    assert.equal(await recorded('Q', 'p', 'B'), true);
    assert.equal(await recorded('p', 'P', 'B'), true);
    assert.equal(await recorded('Q', 'elsewhere', 'C'), true);
    assert.equal(await recorded('Q', 'elsewhere', 'B'), false);
    assert.equal(await recorded('Q', 'elsewhere', 'A'), false);
  });

  it('says why it has stopped counting; without one nothing is said', async () => {
    const why = 'it was given elsewhere';
    const taken = await takeApproval({ counts: false, recorded: 'these', why }, 'M2', approvals);
    assert.deepEqual(taken, { approval_source: 'file', approved_here: null, warnings: [why] });
    assert.deepEqual((await takeApproval({ counts: false, recorded: 'none', why }, 'M2', approvals)).warnings, []);
  });

  it('that another mission used first leaves only what the file says', async () => {
    const approved = { by: 'Ann', at, nonce: 'n' };
    const late = await takeApproval({ counts: true, approved, once: true }, 'M2', approvals);
    assert.deepEqual(late, { approval_source: 'file', approved_here: null, warnings: ['M1 has it.'] });
    const careless = await takeApproval({ counts: true, approved, once: false }, 'M2', approvals);
    assert.deepEqual(careless, { approval_source: 'journal', approved_here: approved, warnings: [] });
  });
});
