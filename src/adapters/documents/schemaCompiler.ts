import Ajv from 'ajv';
import type { ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

let ajv: Ajv | undefined;

/**
 * A validator of one of our own schemas. That they are good schemas is shown where they are made
 * (test/contracts/generate.test.ts), and code that runs a few times need not be made shorter: both would take longer
 * than the rest.
 */
export function compileSchema(schema: object): ValidateFunction {
  if (ajv === undefined) {
    const unchecked = { validateSchema: false, meta: false, code: { optimize: false } };
    ajv = new Ajv({ allErrors: true, verbose: true, strict: true, allowUnionTypes: true, ...unchecked });
    addFormats(ajv);
  }
  return ajv.compile(schema);
}
