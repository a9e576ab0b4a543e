import type { ValidateFunction } from 'ajv';
import type { DocumentName } from '../../contracts/schemas';
import type { Finding } from '../../core/documents/finding';
import { builtValidators } from './builtValidators';
import { fieldFindings } from './fields';
import type { compileSchema } from './schemaCompiler';
import { shapeFindings, withoutEchoes } from './shapeFindings';

/** The generated schema of a document, read when it is asked for, because most calls of a program need none. */
export function schemaOf(name: DocumentName): object {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would be evaluated at the start
  return require(`../../../schemas/${name}.schema.json`) as object;
}

/** All findings about the shape of a parsed document, in the order of the schema. */
export function checkShape(name: DocumentName, value: unknown): readonly Finding[] {
  const validate = validatorOf(name);
  const schema = schemaOf(name);
  const errors = validate(value) ? [] : withoutEchoes(validate.errors ?? []);
  const shape = shapeFindings(errors, value, schema);
  const spoken = new Set(shape.map(({ pointer }) => pointer));
  // An unknown field refuses a policy, because its author meant to forbid something that would be allowed.
  const fields = fieldFindings(schema, value, name === 'model-policy' ? 'refused' : 'ignored').filter(
    ({ severity, pointer }) => severity !== 'error' || !spoken.has(pointer),
  );
  return [...shape, ...fields];
}

const validators = new Map<DocumentName, ValidateFunction>();

function validatorOf(name: DocumentName): ValidateFunction {
  const found = validators.get(name) ?? builtValidators[name] ?? compiled(name);
  validators.set(name, found);
  return found;
}

/** Compiles on first use and loads ajv only then, because most windows never need it. */
function compiled(name: DocumentName): ValidateFunction {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would be evaluated at the start
  const compiler = require('./schemaCompiler') as { readonly compileSchema: typeof compileSchema };
  return compiler.compileSchema(schemaOf(name));
}
