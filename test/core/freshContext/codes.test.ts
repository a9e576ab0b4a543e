import assert from 'node:assert/strict';
import { codeOfCategory, contractCodes, type ContractCode } from '../../../src/contracts/vocabulary/codes/codes';
import { contractMeanings } from '../../../src/contracts/vocabulary/codes/errorCodes';
import {
  inDocumentOrder,
  contractCode,
  verdictOf,
  type ShapedDocument,
  type Verdict,
} from '../../../src/core/documents/verdict';
import { validateAssignment } from '../../../src/core/freshContext/assignment';
import { validateHandoff } from '../../../src/core/freshContext/handoff';
import { validateResult } from '../../../src/core/freshContext/result';
import { validateLedger, validateLocks } from '../../support/verdicts';
import type { Finding } from '../../../src/core/documents/finding';
import { sampleAssignment, sampleHandoff, sampleResult } from './samples';

const shaped = (value: unknown, shape: readonly Finding[] = []): ShapedDocument => ({ value, shape });
const missing: Finding = {
  code: 'MISSING_REQUIRED_INPUT',
  severity: 'error',
  pointer: '',
  message: 'The document lacks "objective".',
};

/** No document says that it was changed in the meantime: that is seen of the workspace, by the runner. */
type OfTheRunner = 'CONCURRENCY_CONFLICT';

/** For every other code one way in which a validator gives it. */
const ways: { readonly [C in Exclude<ContractCode, OfTheRunner>]: () => Verdict } = {
  SCHEMA_INVALID: () => validateAssignment(shaped({ task: { lock_scope: ['../x'] } })),
  MISSING_REQUIRED_INPUT: () => validateHandoff(shaped({ schema_version: '1.0.0' }, [missing])),
  UNKNOWN_SCHEMA_VERSION: () => validateHandoff(shaped({ ...sampleHandoff(), schema_version: '2.0.0' })),
  LOCK_CONFLICT: () =>
    validateLocks(
      shaped({
        active_locks: [
          { task_id: 'T-1', resource: 'src', active: true },
          { task_id: 'T-2', resource: 'src/a', active: true },
        ],
      }),
    ),
  SCOPE_VIOLATION: () =>
    validateResult(shaped({ ...sampleResult(), changes: [{ resource: 'src/a', action: 'edited' }] }), {
      assignment: sampleAssignment(),
    }),
  INVALID_TRANSITION: () =>
    validateLedger(
      shaped({
        ledger: [{ task_id: 'T-1', status: 'done' }],
        events: [{ task_id: 'T-1', from_state: 'todo', to_state: 'done' }],
      }),
    ),
  DEPENDENCY_NOT_MET: () => validateAssignment(shaped(sampleAssignment()), { statuses: { 'T-1': 'todo' } }),
  TASK_TIMEOUT: () => validateHandoff(shaped({ ...sampleHandoff(), now: '2026-01-31T20:00:01Z' })),
  ACCEPTANCE_FAILED: () => validateResult(shaped({ ...sampleResult(), acceptance_check: [] })),
  LEDGER_INCONSISTENT: () =>
    validateLedger(shaped({ ledger: [{ task_id: 'T-1', status: 'blocked' }], open_blockers: [] })),
  NON_COMPLIANT: () => validateResult(shaped({ ...sampleResult(), status: 'blocked' })),
  MISSING_VALIDATOR: () => validateLedger({ value: {}, shape: null }),
  UNTRUSTED_CONTEXT_BLOCK: () =>
    validateResult(shaped({ ...sampleResult(), notes_for_orchestrator: ['password: "correct horse battery"'] })),
};

describe('the 14 codes of Fresh Context', () => {
  for (const code of Object.keys(ways) as (keyof typeof ways)[]) {
    it(`${code} is given, as the one primary code`, () => {
      const verdict = ways[code]();
      assert.deepEqual([verdict.allow, verdict.code], [false, code]);
      assert.ok(verdict.reason.length > 0);
      const primary = verdict.details.findings.find(({ severity }) => severity === 'error');
      assert.deepEqual([primary?.code, primary?.message], [code, verdict.reason]);
    });
  }

  it('are all there are: the catalogue, its meanings and the ways to them', () => {
    assert.equal(contractCodes.length, 14);
    assert.deepEqual(Object.keys(contractMeanings).sort(), [...contractCodes].sort());
    const given = new Set([...Object.values(ways).map((way) => way().code), codeOfCategory.external_change]);
    assert.deepEqual([...given].sort(), [...contractCodes].sort());
    for (const code of contractCodes) assert.equal(contractCode(code), code);
    for (const code of ['JSON_SYNTAX', 'FIELD_UNKNOWN', 'OK', 'toString'])
      assert.equal(contractCode(code), 'SCHEMA_INVALID');
  });

  it('come from the first error in document order, whatever was judged first; warnings never refuse', () => {
    const finding = (pointer: string, code: string, severity: Finding['severity'] = 'error'): Finding => ({
      code,
      severity,
      pointer,
      message: pointer,
    });
    const value = { b: [{ y: 1, x: 1 }], a: { 'k/l': 1 } };
    const found = [
      finding('/a/k~1l', 'NON_COMPLIANT'),
      finding('/a', 'TASK_TIMEOUT'),
      finding('/b/0/x', 'LOCK_CONFLICT'),
      finding('/b/0/y', 'SCHEMA_INVALID'),
      finding('/b/0/y', 'SCOPE_VIOLATION'),
      finding('', 'FIELD_UNKNOWN', 'warning'),
      finding('/b/9/z', 'ACCEPTANCE_FAILED'),
    ];
    const ordered = inDocumentOrder(value, found).map(({ pointer }) => pointer);
    assert.deepEqual(ordered, ['', '/b/9/z', '/b/0/y', '/b/0/y', '/b/0/x', '/a', '/a/k~1l']);
    assert.equal(verdictOf(value, found).code, 'ACCEPTANCE_FAILED');
    assert.equal(verdictOf(value, found.slice(0, 6)).code, 'SCHEMA_INVALID');
    assert.equal(verdictOf(value, [finding('', 'FIELD_UNKNOWN', 'warning')]).allow, true);
  });
});
