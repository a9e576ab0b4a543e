import type { ErrorObject } from 'ajv';
import type { FindingCode } from '../contracts/vocabulary/findings';
import type { Finding } from '../core/plan/finding';

/**
 * Leaves out what only repeats another error: the branches of an `anyOf` that failed as a whole, and the second
 * complaint about the same value.
 */
export function withoutEchoes(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const unions = new Set(errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf').map(unionKey));
  const seen = new Set<string>();
  return errors.filter((error) => {
    if (unions.size > 0 && isBranch(error, unions)) return false;
    const key = `${error.instancePath} ${error.keyword === 'required' ? String(error.params['missingProperty']) : ''}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** A schema error in the words of a person: what stands there, what must, by the field's own name. */
export function shapeFinding(error: ErrorObject): Finding {
  const code: FindingCode = error.keyword === 'required' ? 'MISSING_REQUIRED_INPUT' : 'SCHEMA_INVALID';
  return { code, severity: 'error', pointer: error.instancePath, message: sentenceFor(error) };
}

function sentenceFor(error: ErrorObject): string {
  const name = nameOf(error.instancePath);
  const params = error.params as Record<string, unknown>;
  const found = describe(error.data);
  switch (error.keyword) {
    case 'required': {
      const missing = String(params['missingProperty']);
      const hint = descriptionOf(error.parentSchema, missing);
      const where = error.instancePath === '' ? 'The document' : capital(name);
      return `${where} lacks ${JSON.stringify(missing)}; add it.${hint === null ? '' : ` ${hint}`}`;
    }
    case 'type':
      return `${capital(name)} must be ${typeWords(params['type'])}, not ${found}.`;
    case 'enum':
      return `${capital(name)} must be one of ${list(params['allowedValues'])}, not ${found}.`;
    case 'const':
      return `${capital(name)} must be ${JSON.stringify(params['allowedValue'])}, not ${found}.`;
    case 'minItems':
      return `${capital(name)} must have at least ${count(params['limit'], 'entry', 'entries')}; add one.`;
    case 'maxItems':
      return `${capital(name)} must have at most ${count(params['limit'], 'entry', 'entries')}; remove some.`;
    case 'minLength':
      return `${capital(name)} must not be empty; write it or remove the field.`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `${capital(name)} must be ${limitWords(params['comparison'])} ${String(params['limit'])}, not ${found}.`;
    case 'format':
      return params['format'] === 'date-time'
        ? `${capital(name)} must be a time like 2026-01-31T09:30:00Z, not ${found}.`
        : `${capital(name)} must be a valid ${String(params['format'])}, not ${found}.`;
    case 'pattern':
      return `${capital(name)} does not have the form it must have; ${found} does not match ${String(params['pattern'])}.`;
    case 'additionalProperties':
      return `${capital(name)} must not have the field ${JSON.stringify(params['additionalProperty'])}; remove it.`;
    case 'anyOf':
    case 'oneOf':
      return `${capital(name)} must be ${alternatives(error.schema)}, not ${found}.`;
    default:
      return `${capital(name)} ${error.message ?? 'is not valid'}; correct it.`;
  }
}

/** "task 2", "paths, entry 1" ... for a pointer. */
function nameOf(pointer: string): string {
  if (pointer === '') return 'the document';
  const tokens = pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = tokens.at(-1) ?? '';
  if (!/^\d+$/.test(last)) return quoteName(last);
  const owner = tokens.slice(0, -1).findLast((token) => !/^\d+$/.test(token));
  return `entry ${Number(last) + 1}${owner === undefined ? '' : ` of ${quoteName(owner)}`}`;
}

function quoteName(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 57)}...` : name);
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) return 'nothing';
  return text.length > 80 ? `${text.slice(0, 76)}..."` : text;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text in double quotes',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

function typeWords(type: unknown): string {
  const types = Array.isArray(type) ? type : String(type).split(',');
  return types.map((name) => typeNames[String(name)] ?? String(name)).join(' or ');
}

function alternatives(schemas: unknown): string {
  if (!Array.isArray(schemas)) return 'something else';
  const words = schemas.map((schema: { type?: unknown; enum?: unknown; const?: unknown }) => {
    if (schema.enum !== undefined) return `one of ${list(schema.enum)}`;
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    return schema.type === undefined ? 'another form' : typeWords(schema.type);
  });
  return [...new Set(words)].join(' or ');
}

function limitWords(comparison: unknown): string {
  switch (comparison) {
    case '>=':
      return 'at least';
    case '<=':
      return 'at most';
    case '>':
      return 'above';
    default:
      return 'below';
  }
}

function descriptionOf(schema: unknown, property: string): string | null {
  const properties = (schema as { properties?: Record<string, { description?: unknown }> } | undefined)?.properties;
  const description = properties?.[property]?.description;
  return typeof description === 'string' ? description : null;
}

function list(values: unknown): string {
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)).join(', ') : String(values);
}

function count(limit: unknown, one: string, many: string): string {
  return limit === 1 ? `one ${one}` : `${String(limit)} ${many}`;
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function unionKey(error: ErrorObject): string {
  return `${error.instancePath} ${error.schemaPath}/`;
}

/** Errors of a branch have a schema path below the union's and an instance path at or below it. */
function isBranch(error: ErrorObject, unions: ReadonlySet<string>): boolean {
  for (let at = error.schemaPath.search(/\/(?:anyOf|oneOf)\//); at !== -1;) {
    const path = error.schemaPath.slice(0, at + 7);
    for (let pointer = error.instancePath; ; pointer = pointer.slice(0, pointer.lastIndexOf('/'))) {
      if (unions.has(`${pointer} ${path}`)) return true;
      if (pointer === '') break;
    }
    const rest = error.schemaPath.slice(at + 6).search(/\/(?:anyOf|oneOf)\//);
    at = rest === -1 ? -1 : at + 6 + rest;
  }
  return false;
}
