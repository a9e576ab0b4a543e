import assert from 'node:assert/strict';
import process from 'node:process';
import { readFileSync } from 'node:fs';
import { findingMeanings } from '../../../src/contracts/vocabulary/codes/findings';
import { approvedPlanOf } from '../../../src/core/plan/normalize';
import { planApproval } from '../../../src/engine/plans/approval';
import { checkPlanText } from '../../../src/engine/plans/check';
import { basePlan, richPlan, timelessPlanFiles } from './cases';
import { dice, type Dice } from '../../support/dice';
import type { Json } from './cases';

const odd: readonly Json[] = [
  null,
  true,
  -1,
  0,
  1e308,
  2 ** 53,
  '',
  '..',
  '\u0000',
  '\ud800',
  'x'.repeat(1000),
  [],
  [[]],
  [null],
  {},
  { tasks: [] },
  'APPROVED',
  'toString',
];
const keys = ['tasks', 'x_a', 'worker', 'toString', 'hasOwnProperty', '__proto__', 'length', '0', '', '~/'];

/** `calm`: one value in so many is replaced. */
function mutate(value: Json, random: Dice, calm: number): Json {
  if (random.below(calm) === 0) return random.one(odd);
  if (Array.isArray(value)) {
    const items = value.map((item) => mutate(item, random, calm));
    return random.below(calm) === 0 ? [...items, ...items] : items;
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).flatMap(([key, item]) =>
      random.below(calm) === 0
        ? []
        : [[random.below(calm) === 0 ? random.one(keys) : key, mutate(item, random, calm)] as const],
    );
    return Object.fromEntries(entries);
  }
  return value;
}

const seeds = process.env['MISSION_TESTS_TIER'] === 'quick' ? 1000 : 4000;

describe('checking any document', () => {
  it(`never throws, knows every code it uses, and accepts only what can run (${seeds} mutations)`, () => {
    let valid = 0;
    for (let seed = 1; seed <= seeds; seed++) {
      const random = dice(seed);
      const value = mutate(seed % 2 === 0 ? basePlan : richPlan, random, 10 + random.below(200));
      const check = checkPlanText(
        timelessPlanFiles,
        JSON.stringify(value, null, random.below(2)),
        '/ws/docs/plans/PLAN_base-1.json',
      );
      for (const { code, message, line } of check.findings) {
        assert.ok(code in findingMeanings, `seed ${seed}: ${code}`);
        assert.ok(message.endsWith('.') || message.endsWith('?'), `seed ${seed}: ${message}`);
        assert.ok(line !== undefined, `seed ${seed}: ${code} has no position`);
      }
      if (check.plan !== null) {
        valid++;
        approvedPlanOf(check.plan, { defaultWorker: 'codex' });
      }
      planApproval(timelessPlanFiles, check, null, {
        approved_by: 'a',
        approved_at: '2026-01-01T00:00:00Z',
        note: null,
        recovery_allow: null,
      });
    }
    assert.ok(valid > seeds / 200, `only ${valid} mutations were valid: the property says little`);
  });

  it('never throws on damaged text (4000 damages)', () => {
    const bytes = readFileSync('test/fixtures/plans/PLAN_RGPT-S2-B-04-001.bom-crlf.json');
    for (let seed = 1; seed <= 4000; seed++) {
      const random = dice(seed);
      const damaged = Buffer.from(bytes);
      for (let count = random.below(4) + 1; count > 0; count--)
        damaged[random.below(damaged.length)] = random.below(256);
      const check = checkPlanText(
        timelessPlanFiles,
        damaged.subarray(random.below(10), damaged.length - random.below(40)),
        null,
      );
      for (const finding of check.findings)
        assert.ok(finding.code in findingMeanings && finding.line !== undefined, `seed ${seed}`);
    }
  });
});
