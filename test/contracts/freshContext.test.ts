import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import { checkShape } from '../../src/adapters/documents/schemas';
import {
  assignmentSchema,
  ledgerDocumentSchema,
  locksDocumentSchema,
  orchestratorOutputSchema,
  taskEventSchema,
} from '../../src/contracts/freshContext';
import { handoffSchema } from '../../src/contracts/handoff';
import { claimedResultSchema, subagentResultSchema } from '../../src/contracts/result';
import { sampleAssignment, sampleHandoff, sampleOutput, sampleResult } from '../core/freshContext/samples';

const folder = path.resolve('test/fixtures/fresh-context');
const schemas = {
  locks: locksDocumentSchema,
  ledger: ledgerDocumentSchema,
  handoff: handoffSchema,
  assignment: assignmentSchema,
  result: claimedResultSchema,
} as const;
const event = {
  task_id: 'T-1',
  from_state: 'todo',
  to_state: 'blocked',
  actor: 'runner',
  reason: 'x',
  created_at: '2026-01-31T20:00:00Z',
};
const samples: readonly (readonly [string, z.ZodType, unknown])[] = [
  ['assignment', assignmentSchema, sampleAssignment()],
  ['handoff', handoffSchema, sampleHandoff()],
  ['orchestrator output', orchestratorOutputSchema, sampleOutput()],
  ['result', subagentResultSchema, sampleResult()],
  ['task event', taskEventSchema, event],
  ['stored task event', taskEventSchema, { ...event, id: 7, event_type: 'created', payload: {} }],
];

describe('shapes of Fresh Context', () => {
  for (const [name, schema, sample] of samples)
    it(`${name}: accepts its sample unchanged`, () => assert.deepEqual(schema.parse(sample), sample));

  it('of the generated schemas are those of zod', () => {
    const cases = JSON.parse(readFileSync(path.join(folder, 'cases.json'), 'utf8')) as readonly {
      kind: keyof typeof schemas;
      file: string;
    }[];
    let refused = 0;
    for (const { kind, file } of cases) {
      const value = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as unknown;
      const accepted = checkShape(kind, value).every(({ severity }) => severity !== 'error');
      assert.equal(schemas[kind].safeParse(value).success, accepted, file);
      if (!accepted) refused += 1;
    }
    assert.ok(refused > 20);
  });

  for (const [schema, name, field, values] of [
    [
      handoffSchema,
      'handoff',
      'run_id',
      ['-'.repeat(36), '00000000-0000-0000-0000-000000000000', '4b1f6c1e-2f0a-1c53-9a55-0f6f1d1b7e10'],
    ],
    [handoffSchema, 'handoff', 'schema_version', ['2.0.0', '1', '1.0', 'v1.0.0', 1]],
    [handoffSchema, 'handoff', 'generated_at', ['2026-01-31', 'now', 7]],
    [assignmentSchema, 'assignment', 'packet_type', ['result', null]],
    [assignmentSchema, 'assignment', 'required_output_schema', ['subagent_result_v2']],
    [assignmentSchema, 'assignment', 'global_objective', ['', '   ', 'x'.repeat(5001)]],
    [orchestratorOutputSchema, 'output', 'next_actions', [['']]],
    [orchestratorOutputSchema, 'output', 'blockers', [[{ task_id: 'T-1', code: 'OTHER', reason: 'x' }]]],
    [taskEventSchema, 'event', 'to_state', ['cancelled']],
  ] as const) {
    it(`${name}: refuses other values of ${field}`, () => {
      const base = { handoff: sampleHandoff(), assignment: sampleAssignment(), output: sampleOutput(), event }[name];
      for (const value of values)
        assert.equal(schema.safeParse({ ...base, [field]: value }).success, false, JSON.stringify(value));
    });
  }

  it('allow extension fields: everywhere, and none in what a worker is asked for', () => {
    const bundle = { ...sampleHandoff(), x_anything: { a: 1 } };
    assert.deepEqual(handoffSchema.parse(bundle), bundle);
    const result = sampleResult();
    const extended = {
      ...result,
      x_a: 1,
      changes: result.changes.map((change) => ({ ...change, x_b: 1 })),
      acceptance_check: result.acceptance_check.map((check) => ({ ...check, x_c: 1 })),
    };
    assert.equal(subagentResultSchema.safeParse(extended).success, false);
    assert.deepEqual(claimedResultSchema.parse(extended), result);
    assert.deepEqual(claimedResultSchema.parse({ ...result, other: 1 }), result);
  });
});
