import assert from 'node:assert/strict';
import { checkShape } from '../../src/adapters/documents/schemas';
import { planSchema } from '../../src/contracts/plan';
import { basePlan, cases, richPlan, withEdits } from '../core/plan/cases';

describe('the schema of a plan', () => {
  it('says the same about every case as the generated schema', () => {
    for (const value of [basePlan, richPlan, ...cases.map(({ edits }) => withEdits(basePlan, edits))]) {
      const isValid = checkShape('plan', value).every(({ severity }) => severity !== 'error');
      assert.equal(isValid, planSchema.safeParse(value).success, JSON.stringify(value));
    }
  });

  it('accepts every field at once', () => {
    assert.deepEqual(checkShape('plan', richPlan), []);
  });
});
