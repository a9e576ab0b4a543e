import assert from 'node:assert/strict';
import { z } from 'zod';
import { checkShape } from '../../src/adapters/documents/schemas';
import { planSchema } from '../../src/contracts/plan';
import { planFields } from '../../src/contracts/vocabulary/plan';
import { basePlan, cases, richPlan, withEdits } from '../core/plan/cases';

describe('the schema of a plan', () => {
  it('says the same about every case as the generated schema', () => {
    for (const value of [basePlan, richPlan, ...cases.map(({ edits }) => withEdits(basePlan, edits))]) {
      assert.equal(checkShape('plan', value).length === 0, planSchema.safeParse(value).success, JSON.stringify(value));
    }
  });

  it('has exactly the fields of the vocabulary', () => {
    const { shape } = planSchema;
    const open = (schema: z.ZodType): z.ZodObject => {
      if (schema instanceof z.ZodOptional) return open(schema.unwrap() as z.ZodType);
      if (schema instanceof z.ZodArray) return open(schema.element as z.ZodType);
      assert.ok(schema instanceof z.ZodObject);
      return schema;
    };
    const execution = open(shape.execution).shape;
    const milestone = open(shape.milestones).shape;
    const objects: { readonly [K in keyof typeof planFields]: z.ZodObject } = {
      plan: planSchema,
      risk: open(shape.risk),
      scope: open(shape.scope),
      task: open(shape.tasks),
      carriedFrom: open(open(shape.tasks).shape['carried_from'] as z.ZodType),
      execution: open(shape.execution),
      budget: open(execution['budget'] as z.ZodType),
      recovery: open(execution['recovery'] as z.ZodType),
      delegation: open(execution['delegation'] as z.ZodType),
      limits: open(execution['limits'] as z.ZodType),
      approval: open(shape.approval),
      milestone: open(shape.milestones),
      milestoneValidate: open(milestone['validate'] as z.ZodType),
    };
    for (const [name, schema] of Object.entries(objects)) {
      assert.deepEqual(
        Object.keys(schema.shape).sort(),
        Object.keys(planFields[name as keyof typeof planFields]).sort(),
        name,
      );
    }
  });

  it('accepts every field at once', () => {
    assert.deepEqual(checkShape('plan', richPlan), []);
  });
});
