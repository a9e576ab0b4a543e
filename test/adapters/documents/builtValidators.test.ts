import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import type { ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { builtValidators } from '../../../src/adapters/documents/builtValidators';
import { compileSchema } from '../../../src/adapters/documents/schemaCompiler';
import { schemaOf } from '../../../src/adapters/documents/schemas';
import type { DocumentName } from '../../../src/contracts/schemas';

const samples = {
  plan: 'plans/rich.json',
  assignment: 'fresh-context/assignment/sound.json',
  handoff: 'fresh-context/handoff/sound.json',
  'ai-project': 'ai-project/sound.json',
} as const satisfies Partial<Record<DocumentName, string>>;

describe('the validators of schemas', () => {
  it('are code of the program for a plan, an assignment, a handoff and ai.project.json', () => {
    assert.deepEqual(Object.keys(builtValidators), Object.keys(samples));
  });

  for (const name of Object.keys(samples) as (keyof typeof samples)[])
    it(`find in a document of the kind ${name} what ajv finds, built or compiled on first use`, () => {
      const schema = schemaOf(name);
      const ajv = new Ajv({ allErrors: true, verbose: true, strict: true, allowUnionTypes: true });
      addFormats(ajv);
      const whole = ajv.compile(schema);
      const { [name]: built } = builtValidators;
      assert.ok(built);
      const compiled = compileSchema(schema);
      const sample: unknown = JSON.parse(readFileSync(`test/fixtures/${samples[name]}`, 'utf8'));
      assert.deepEqual(errorsOf(whole, sample), []);
      let bad = 0;
      for (const [at, document] of changed(sample)) {
        const errors = errorsOf(whole, document);
        if (errors.length > 0) bad += 1;
        assert.deepEqual(errorsOf(built, document), errors, `${name} ${at}`);
        assert.deepEqual(errorsOf(compiled, document), errors, `${name} ${at}`);
      }
      assert.ok(bad > 50, `only ${bad} documents were bad`);
    });
});

function errorsOf(validate: ValidateFunction, document: unknown): readonly unknown[] {
  return validate(document) ? [] : (validate.errors ?? []);
}

/** The document without each of its values, and with another one in its place; each with what was changed. */
function* changed(document: unknown): Generator<readonly [string, unknown]> {
  yield ['as it is', document];
  for (const other of [null, true, -1, 1.5, '', ' ', '../x', [], ['x', 'x'], {}, { x: 1 }])
    yield [`is ${JSON.stringify(other)}`, other];
  if (typeof document !== 'object' || document === null) return;
  for (const [key, value] of Object.entries(document)) {
    const withIt = (part: unknown): unknown => {
      const copy = structuredClone(document) as Record<string, unknown>;
      copy[key] = part;
      return copy;
    };
    for (const [at, part] of changed(value)) yield [`/${key} ${at}`, withIt(part)];
    if (!Array.isArray(document)) {
      const { [key]: _gone, ...rest } = document as Record<string, unknown>;
      yield [`/${key} is gone`, rest];
    }
  }
}
