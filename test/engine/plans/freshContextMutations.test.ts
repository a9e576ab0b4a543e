import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parseJsonText } from '../../../src/adapters/documents/json';
import { checkShape } from '../../../src/adapters/documents/schemas';
import { contractCodes } from '../../../src/contracts/vocabulary/codes/codes';
import { validateAssignment } from '../../../src/core/freshContext/assignment';
import { validateHandoff } from '../../../src/core/freshContext/handoff';
import { validateResult } from '../../../src/core/freshContext/result';
import type { ShapedDocument, Verdict } from '../../../src/core/documents/verdict';
import { validateLedger, validateLocks } from '../../support/verdicts';
import { checkDocument } from '../../../src/engine/plans/documentCheck';
import { dice, type Dice } from '../../support/dice';

const validators = {
  locks: validateLocks,
  ledger: validateLedger,
  handoff: validateHandoff,
  assignment: validateAssignment,
  result: validateResult,
} as const satisfies Readonly<Record<string, (document: ShapedDocument) => Verdict>>;
const folder = path.resolve('test/fixtures/fresh-context');
const odd: readonly unknown[] = [
  null,
  0,
  -1,
  1e21,
  '',
  ' ',
  'T-1',
  'src',
  '../x',
  '2026-01-31T20:00:00Z',
  '9999-12-31T23:59:59Z',
  'x'.repeat(6000),
  true,
  [],
  {},
  [[]],
  [null],
  'in_progress',
  'done',
  { task_id: 'T-1' },
];

/** Changes, removes or copies something somewhere in the value. */
function mutate(value: unknown, random: Dice): unknown {
  if (typeof value !== 'object' || value === null) return random.one(odd);
  const keys = Object.keys(value);
  const key = keys[random.below(keys.length)];
  if (key === undefined) return random.one(odd);
  const action = random.below(8);
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const at = Number(key);
    if (action === 0) return items.filter((_, index) => index !== at);
    if (action === 1) return [...items, items[at]];
    return items.map((item, index) => (index === at ? mutate(item, random) : item));
  }
  const object = value as Readonly<Record<string, unknown>>;
  if (action === 0) return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
  if (action === 1) return { ...object, [random.one(['extra', 'x_extra', 'toString', 'length'])]: random.one(odd) };
  if (action === 2) return Object.fromEntries(Object.entries(object).reverse());
  return { ...object, [key]: action === 3 ? random.one(odd) : mutate(object[key], random) };
}

describe('mutated documents of Fresh Context', () => {
  for (const [kind, validate] of Object.entries(validators) as [
    keyof typeof validators,
    (typeof validators)['locks'],
  ][]) {
    it(`${kind}: one of the 14 codes or OK, the same from the file and from the value`, () => {
      const seen = new Set<string>();
      for (const file of readdirSync(path.join(folder, kind))) {
        const original: unknown = JSON.parse(readFileSync(path.join(folder, kind, file), 'utf8'));
        for (let seed = 1; seed <= 12; seed += 1) {
          const random = dice(seed);
          let value = original;
          for (let times = 1 + random.below(3); times > 0; times -= 1) value = mutate(value, random);
          const text = parseJsonText(Buffer.from(JSON.stringify(value)));
          const check = checkDocument(kind, text, checkShape);
          const shape = checkShape(kind, text.value);
          const verdict = validate({ value: text.value, shape });
          const what = `${file}, seed ${seed}`;
          assert.ok(verdict.code === 'OK' || contractCodes.includes(verdict.code), what);
          if (text.findings.length === 0) assert.equal(check.code, verdict.code, what);
          assert.equal(check.valid, check.code === 'OK', what);
          for (const finding of check.findings)
            assert.ok(finding.line !== undefined && finding.message.length < 600, what);
          seen.add(check.code);
        }
      }
      assert.ok(seen.size >= 5, [...seen].join());
    });
  }

  it('nested without end are refused', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const result = JSON.parse(
      `{"schema_version":"1.0.0","notes_for_orchestrator":${deep},"changes":[{"evidence":${deep}}]}`,
    ) as unknown;
    assert.equal(validateResult({ value: result, shape: [] }).code, 'SCHEMA_INVALID');
  });
});
