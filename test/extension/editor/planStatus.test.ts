import assert from 'node:assert/strict';
import { hashLine, lockLine, type PlanStatusFacts } from '../../../src/extension/editor/planLines';
import { missionView } from '../sampleViews';

const sha256 = 'AB'.repeat(32);
const counts: PlanStatusFacts['approval'] = {
  counts: true,
  approved: { by: 'Ada', at: '2026-01-02T03:04:05.000Z', nonce: 'n' },
  once: false,
};
const facts = { state: 'approved', sha256, edited: false, approval: counts, mission: null } as const;
const ran = (plan_sha256: string, ended = true): PlanStatusFacts['mission'] =>
  missionView({
    plan_sha256,
    ending: ended ? { outcome: 'COMPLETED', code: null, reason: 'done', cancelled: false } : null,
  });

interface Case {
  readonly facts: PlanStatusFacts;
  readonly says: string;
  readonly does: string | null;
  readonly severity?: string;
}

describe('the language status of a plan', () => {
  const hashes: Readonly<Record<string, Case>> = {
    'not judged yet': { facts: { ...facts, state: null }, says: 'Not checked yet', does: null },
    draft: { facts: { ...facts, state: 'draft', approval: null }, says: 'Draft', does: 'approvePlan' },
    'a draft that is edited': {
      facts: { ...facts, state: 'draft', edited: true },
      says: 'Draft',
      does: 'approvePlan',
    },
    errors: { facts: { ...facts, state: '2 errors' }, says: '2 errors', does: 'validatePlan', severity: 'error' },
    approved: { facts, says: 'Approved here', does: 'runPlan' },
    'approved, then typed in': {
      facts: { ...facts, edited: true },
      says: 'Changed since approval',
      does: null,
      severity: 'warning',
    },
    'approved bytes that were changed after a mission': {
      facts: { ...facts, approval: { counts: false, recorded: 'none', why: 'x' }, mission: ran('CD'.repeat(32)) },
      says: 'Changed since approval',
      does: 'compareWithLockedPlan',
      severity: 'warning',
    },
    'approved bytes that were changed before a mission': {
      facts: { ...facts, approval: { counts: false, recorded: 'others', why: 'x' } },
      says: 'Changed since approval',
      does: 'runPlan',
      severity: 'warning',
    },
    'an approval that is too old': {
      facts: { ...facts, approval: { counts: false, recorded: 'these', why: 'It is older than 24 hours.' } },
      says: 'Approval no longer counts',
      does: 'runPlan',
      severity: 'warning',
    },
    'a file from elsewhere': {
      facts: { ...facts, approval: null },
      says: 'Not approved on this machine',
      does: 'runPlan',
      severity: 'warning',
    },
    'a file that is gone': {
      facts: { ...facts, state: '1 error', sha256: null, approval: null },
      says: '1 error',
      does: 'validatePlan',
      severity: 'error',
    },
  };
  for (const [name, { facts: given, says, does, severity = 'information' }] of Object.entries(hashes))
    it(`describes the bytes: ${name}`, () => {
      const line = hashLine(given);
      assert.deepEqual([line.text.toString(), line.does, line.severity], [says, does, severity]);
      assert.ok(`${line.text.toString()} ${line.detail.toString()}`.length <= 58, 'its command is cut off');
    });

  const locks: Readonly<Record<string, Case>> = {
    'no mission': { facts, says: 'Not locked', does: null },
    'a mission of these bytes': {
      facts: { ...facts, mission: ran(sha256, false) },
      says: 'Locked by its mission',
      does: 'showMissionControl',
    },
    'a mission of other bytes': {
      facts: { ...facts, mission: ran('CD'.repeat(32), false) },
      says: 'Locked with other bytes',
      does: 'compareWithLockedPlan',
      severity: 'warning',
    },
    'an ended mission': {
      facts: { ...facts, mission: ran(sha256) },
      says: 'As its mission ran it',
      does: 'showMissionControl',
    },
    'an ended mission of other bytes': {
      facts: { ...facts, mission: ran('CD'.repeat(32)) },
      says: 'Changed since its mission',
      does: 'compareWithLockedPlan',
    },
    'a file that cannot be read': {
      facts: { ...facts, sha256: null, mission: ran(sha256) },
      says: 'As its mission ran it',
      does: 'showMissionControl',
    },
  };
  for (const [name, { facts: given, says, does, severity = 'information' }] of Object.entries(locks))
    it(`describes the lock: ${name}`, () => {
      const line = lockLine(given);
      assert.deepEqual([line.text.toString(), line.does, line.severity], [says, does, severity]);
      assert.ok(`${line.text.toString()} ${line.detail.toString()}`.length <= 58, 'its command is cut off');
    });
});
