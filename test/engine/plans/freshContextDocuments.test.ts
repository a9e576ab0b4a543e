import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseJsonText } from '../../../src/adapters/documents/json';
import { checkShape } from '../../../src/adapters/documents/schemas';
import { contractCodes } from '../../../src/contracts/vocabulary/codes/codes';
import { validateAssignment } from '../../../src/core/freshContext/assignment';
import { validateHandoff } from '../../../src/core/freshContext/handoff';
import { validateResult } from '../../../src/core/freshContext/result';
import type { ShapedDocument, Verdict } from '../../../src/core/documents/verdict';
import { validateLedger, validateLocks } from '../../support/verdicts';
import type { Finding } from '../../../src/core/documents/finding';
import { checkDocument } from '../../../src/engine/plans/documentCheck';

const folder = path.resolve('test/fixtures/fresh-context');
type Kind = 'locks' | 'ledger' | 'handoff' | 'assignment' | 'result';
interface Case {
  readonly kind: Kind;
  readonly file: string;
  readonly code: string;
  /** Every error in document order: code and pointer. */
  readonly errors: readonly (readonly [code: string, pointer: string])[];
  readonly warnings?: readonly (readonly [code: string, pointer: string])[];
}
const cases = JSON.parse(readFileSync(path.join(folder, 'cases.json'), 'utf8')) as readonly Case[];

const validators: { readonly [K in Kind]: (document: ShapedDocument) => Verdict } = {
  locks: validateLocks,
  ledger: validateLedger,
  handoff: validateHandoff,
  assignment: validateAssignment,
  result: validateResult,
};
const told = (findings: readonly Finding[], severity: string): unknown =>
  findings.filter((finding) => finding.severity === severity).map(({ code, pointer }) => [code, pointer]);

describe('documents of Fresh Context', () => {
  for (const { kind, file, code, errors, warnings = [] } of cases) {
    it(`${file.replace('.json', '')}: ${code}`, () => {
      const text = parseJsonText(readFileSync(path.join(folder, file)));

      const check = checkDocument(kind, text, checkShape);
      assert.deepEqual(told(check.findings, 'error'), errors);
      assert.deepEqual(told(check.findings, 'warning'), warnings);
      assert.deepEqual({ code: check.code, valid: check.valid }, { code, valid: code === 'OK' });
      for (const finding of check.findings) assert.ok(finding.line !== undefined && finding.message !== '');

      const shape = checkShape(kind, text.value);
      const verdict = validators[kind]({ value: text.value, shape });
      assert.deepEqual({ code: verdict.code, allow: verdict.allow }, { code, allow: code === 'OK' });
      assert.deepEqual(told(verdict.details.findings, 'error'), errors);
      assert.equal(
        verdict.reason,
        verdict.details.findings.find(({ severity }) => severity === 'error')?.message ?? 'Valid.',
      );
    });
  }

  it('that are no JSON, or hold a key twice, have one of the 14 codes too', () => {
    for (const text of ['{"active_locks":', '{"active_locks":[],"active_locks":[]}', '\u0000', '']) {
      const check = checkDocument('locks', parseJsonText(Buffer.from(text)), checkShape);
      assert.deepEqual([check.valid, check.code], [false, 'SCHEMA_INVALID'], text);
    }
  });

  it('are judged without a hang or an exception, whatever they hold', () => {
    const values = [null, 7, 'x', [], {}, [[]], { ledger: {} }, { ledger: [null, 7, {}] }];
    for (const kind of Object.keys(validators) as Kind[]) {
      for (const value of values) {
        for (const key of [
          'task',
          'ledger',
          'active_locks',
          'requested',
          'changes',
          'events',
          'dependencies',
          '__proto__',
        ]) {
          const document = { schema_version: '1.0.0', [key]: value };
          const { code } = validators[kind]({ value: document, shape: checkShape(kind, document) });
          assert.ok(code === 'OK' || contractCodes.includes(code));
        }
      }
    }
    const resource = Array.from({ length: 400 }, () => 'a').join('/');
    const active_locks = Array.from({ length: 20_000 }, (_, index) => ({
      task_id: `T-${index % 7}`,
      resource: resource.slice(0, 1 + 2 * (index % 400)),
      active: true,
    }));
    const verdict = validateLocks({ value: { active_locks }, shape: [] });
    assert.equal(verdict.code, 'LOCK_CONFLICT');
  });
});
