import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isObject, objectAt, textAt, valueAt, type JsonObject } from '../../../src/base/json';
import type { FieldTable } from '../../../src/core/plan/fields/field';
import { planFields } from '../../../src/core/plan/fields/planFields';
import { approvedPlanOf } from '../../../src/core/plan/normalize';
import { differences } from '../../../src/core/plan/differences';
import { checkPlanText } from '../../../src/engine/plans/check';
import { richPlan, timelessPlanFiles } from './cases';

const entry = 'src/core/plan/fields/field.ts';
const schema = JSON.parse(readFileSync('schemas/plan.schema.json', 'utf8')) as JsonObject;

/** What a field lacks: an entry, a line on an approval or a reason for none, a meaning. And entries of no field. */
function lacking(table: FieldTable, of: JsonObject, before = ''): readonly string[] {
  const properties = objectAt(of, 'properties') ?? {};
  const gone = Object.keys(table).filter((name) => !(name in properties));
  return [
    ...gone.map((name) => `${before}${name} is in no schema`),
    ...Object.entries(properties).flatMap(([name, property]): readonly string[] => {
      const field = table[name];
      if (field === undefined) return [`${before}${name} has no entry`];
      const { opens, rows, says, stands, unsaid, parts, each } = field;
      const line = opens ?? rows ?? says ?? stands ?? unsaid ?? parts ?? each;
      const inner = parts ? property : each ? valueAt(property, 'items') : null;
      return [
        ...(line === undefined ? [`${before}${name} has no line on an approval`] : []),
        ...((textAt(property, 'description') ?? '').length > 5 ? [] : [`${before}${name} has no meaning`]),
        ...(isObject(inner) ? lacking(parts ?? each ?? {}, inner, `${before}${name}.`) : []),
      ];
    }),
  ];
}

function at(of: JsonObject | null, ...names: readonly string[]): JsonObject | null {
  return names.reduce((object, name) => objectAt(objectAt(object, 'properties'), name), of);
}

describe('the entry of a plan field', () => {
  it('is there for each field of the schema, with a line on the approval and a meaning', () => {
    assert.deepEqual(lacking(planFields, schema), []);
  });

  it('is missed where it is not there, has no line, or its field has no meaning', () => {
    const { env: _, ...execution } = planFields.execution.parts;
    const parts: FieldTable = { ...execution, scratch: {}, other: { unsaid: 'stops' } };
    const table: FieldTable = { ...planFields, execution: { parts } };
    const text = JSON.stringify(schema);
    const meaning = JSON.stringify({ description: textAt(at(schema, 'risk', 'level'), 'description') }).slice(1, -1);
    const silent = JSON.parse(text.replace(meaning, '"description":""')) as JsonObject;
    assert.deepEqual(lacking(table, silent), [
      'risk.level has no meaning',
      'execution.other is in no schema',
      'execution.env has no entry',
      'execution.scratch has no line on an approval',
    ]);
  });

  it('lets a revision compare each value of the plan but its name, its approval and what follows from others', () => {
    const { plan } = checkPlanText(timelessPlanFiles, JSON.stringify(richPlan), null);
    assert.ok(plan);
    const before = approvedPlanOf(plan, { defaultWorker: 'claude' });
    const silent = (Object.keys(before) as (keyof typeof before)[])
      .filter((name) => name !== 'tasks')
      .filter((name) => differences(before, { ...before, [name]: 'x' }).length === 0);
    assert.deepEqual(silent, ['plan_id', 'folders', 'supersedes', 'approved_by', 'approved_at']);
  });

  it('is all that a field needs, with what its recipe names', () => {
    const recipe = readFileSync('docs/internals/recipes/add-a-plan-field.md', 'utf8');
    const named = [...recipe.matchAll(/`([\w/.]+)`/g)].map(([, word = '']) => word);
    const isNamed = (file: string): boolean => named.some((word) => word.includes('/') && file.includes(`src/${word}`));
    // What these do stands elsewhere, so here they stand for the fields to come.
    const rooms = [
      'contracts',
      'core/plan',
      'core/view',
      'engine/plans',
      'cli/show',
      'extension/plans',
      'extension/pages',
    ];
    const sources = rooms.flatMap((room) =>
      readdirSync(`src/${room}`, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => path.join('src', room, name)),
    );
    for (const field of ['after_limit', 'max_parallel', 'on_exceed']) {
      const holds = sources.filter((file) => new RegExp(`\\b${field}\\b`).test(readFileSync(file, 'utf8')));
      assert.deepEqual([field, holds.filter((file) => !isNamed(file.split(path.sep).join('/')))], [field, []]);
    }
    const [, members = ''] = /interface PlanField<P> \{(.*?)\n\}/s.exec(readFileSync(entry, 'utf8')) ?? [];
    const declared = [...members.matchAll(/readonly (\w+)\?:/g)].map(([, member = '']) => member);
    assert.ok(declared.length > 5);
    assert.deepEqual(
      declared.filter((member) => !named.includes(member)),
      [],
    );
  });
});
