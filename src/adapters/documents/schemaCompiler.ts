import Ajv from 'ajv';
import type { ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

let ajv: Ajv | undefined;

/**
 * Compiles a validator of one of our own schemas. Checks no schema, because test/contracts/generate.test.ts does, and
 * optimises no code, because it runs only a few times. Both would take longer than the rest.
 */
export function compileSchema(schema: object): ValidateFunction {
  if (ajv === undefined) {
    const unchecked = { validateSchema: false, meta: false, code: { optimize: false } };
    ajv = new Ajv({ allErrors: true, verbose: true, strict: true, allowUnionTypes: true, ...unchecked });
    addFormats(ajv);
  }
  return ajv.compile(schema);
}
