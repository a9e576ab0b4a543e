import type { ErrorObject, ValidateFunction } from 'ajv';
import { pointerTokens, type JsonObject, pointerToken, isObject, quoted } from '../../base/json';
import type { FindingCode } from '../../contracts/vocabulary/codes/findings';
import { filledPattern, formWords, isBlank } from '../../contracts/vocabulary/forms';
import { flatCommand, readCommand, shellArgv } from '../../base/text/commandLine';
import { nearest } from '../../base/text/nearest';
import type { DocumentName } from '../../contracts/schemas';
import type { Finding } from '../../core/documents/finding';
import { builtValidators } from './builtValidators';
import type { compileSchema } from './schemaCompiler';

/** The generated schema of a document, read when it is asked for, because most calls of a program need none. */
export function schemaOf(name: DocumentName): object {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would be evaluated at the start
  return require(`../../../schemas/${name}.schema.json`) as object;
}

/** A document with more is broken in one way, and each would take time to say. */
const mostFindings = 2000;

/** Findings about the shape of a parsed document, in the order of the schema. */
export function checkShape(name: DocumentName, value: unknown): readonly Finding[] {
  const validate = validatorOf(name);
  const schema = schemaOf(name);
  const errors = validate(value) ? [] : withoutEchoes((validate.errors ?? []).slice(0, mostFindings));
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

/**
 * Drops errors that repeat another one. Of a union, keeps the errors of the alternative that the
 * value means. If it means none, keeps the union's own error. Keeps only the first error of each
 * value, and drops unknown fields, because `fieldFindings` reports them.
 */
function withoutEchoes(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const silent = new Set<string>();
  const closed: { readonly pointer: string; readonly path: string }[] = [];
  for (const { instancePath: pointer, schemaPath, schema, data } of unions) {
    const alternatives = Array.isArray(schema) ? (schema as readonly unknown[]) : [];
    const meant = alternativeFor(alternatives, data);
    if (meant !== null) silent.add(`${pointer} ${schemaPath}`);
    for (const index of alternatives.keys())
      if (alternatives[index] !== meant) closed.push({ pointer, path: `${schemaPath}/${index}/` });
  }
  const seen = new Set<string>();
  return errors.filter((error) => {
    const { instancePath, schemaPath, keyword, params } = error;
    if (keyword === 'additionalProperties' || silent.has(`${instancePath} ${schemaPath}`)) return false;
    if (closed.some(({ pointer, path }) => instancePath.startsWith(pointer) && schemaPath.startsWith(path)))
      return false;
    const key = `${instancePath} ${keyword === 'required' ? String((params as JsonObject)['missingProperty']) : ''}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Says each error; of a list of lists that holds the arguments of one command, that alone. */
function shapeFindings(errors: readonly ErrorObject[], value: unknown, root: object): readonly Finding[] {
  const said = new Set<string>();
  return errors.flatMap((error): readonly Finding[] => {
    const pointer = error.instancePath.slice(0, error.instancePath.lastIndexOf('/'));
    const list = valueOf(value, pointer);
    const command = takesTexts(error) && Array.isArray(list) ? flatCommand(list) : null;
    if (command === null) return [shapeFinding(error, root)];
    if (said.has(pointer)) return [];
    said.add(pointer);
    const message = `${capital(fieldName(pointer))} must hold a list for each command. Write it like ${JSON.stringify([command])}.`;
    return [{ code: 'SCHEMA_INVALID', severity: 'error', pointer, message }];
  });
}

function valueOf(root: unknown, pointer: string): unknown {
  return pointerTokens(pointer).reduce<unknown>((at, token) => (at as JsonObject | null | undefined)?.[token], root);
}

/** Says a schema error as a sentence: what there is and what must be, with the field's name. */
function shapeFinding(error: ErrorObject, root: object): Finding {
  const { keyword, instancePath, data } = error;
  const code: FindingCode = keyword === 'required' ? 'MISSING_REQUIRED_INPUT' : 'SCHEMA_INVALID';
  const finding: Finding = { code, severity: 'error', pointer: instancePath, message: sentenceFor(error, root) };
  return (Array.isArray(data) && keyword === 'minItems') || (typeof data === 'string' && isBlank(data))
    ? { ...finding, empty: true }
    : finding;
}

function sentenceFor(error: ErrorObject, root: object): string {
  const name = fieldName(error.instancePath);
  const params = error.params as Record<string, unknown>;
  const found = quoted(error.data);
  switch (error.keyword) {
    case 'required': {
      const missing = String(params['missingProperty']);
      const hint = descriptionOf(error.parentSchema, missing);
      const instead = insteadOf(missing, error.parentSchema, error.data);
      return instead === null
        ? `${capital(name)} lacks ${JSON.stringify(missing)}; add it.${hint === null ? '' : ` ${hint}`}`
        : `${capital(name)} lacks ${JSON.stringify(missing)}; ${JSON.stringify(instead)} stands there instead, rename it.`;
    }
    case 'type':
      if (Array.isArray(error.parentSchema?.['enum']))
        return `${capital(name)} must be one of ${list(error.parentSchema['enum'])}, not ${found}.`;
      return `${capital(name)} must be ${typeWords(params['type'])}, not ${found}.${argvHint(error)}`;
    case 'enum':
      return `${capital(name)} must be one of ${list(params['allowedValues'])}, not ${found}.`;
    case 'const':
      return `${capital(name)} must be ${JSON.stringify(params['allowedValue'])}, not ${found}.`;
    case 'minItems':
      return `${capital(name)} must have at least ${count(params['limit'], 'entry', 'entries')}; add one.`;
    case 'maxItems':
      return `${capital(name)} must have at most ${count(params['limit'], 'entry', 'entries')}; remove some.`;
    case 'minLength':
      return `${capital(name)} must not be empty; ${filling(error, root)}.`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `${capital(name)} must be ${limitWords[String(params['comparison'])] ?? 'below'} ${String(params['limit'])}, not ${found}.`;
    case 'format':
      return params['format'] === 'date-time'
        ? `${capital(name)} must be a time like 2026-01-31T09:30:00Z, not ${found}.`
        : `${capital(name)} must be a valid ${String(params['format'])}, not ${found}.`;
    case 'pattern':
      return params['pattern'] === filledPattern
        ? `${capital(name)} must not be empty; ${filling(error, root)}.`
        : `${capital(name)} must be ${formWords[String(params['pattern'])] ?? 'of another form'}, not ${found}.`;
    case 'maxLength':
      return `${capital(name)} must have at most ${String(params['limit'])} characters, not ${String(error.data).length}; shorten it.`;
    case 'anyOf':
    case 'oneOf':
      return `${capital(name)} must be ${alternatives(error.schema)}, not ${found}.`;
    default:
      return `${capital(name)} is not as the contract wants it (${error.keyword}); correct it.`;
  }
}

/** The key under which a missing field may have been written. */
function insteadOf(missing: string, schema: unknown, value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const known = propertiesOf((schema ?? {}) as JsonObject);
  const others = Object.keys(value).filter((key) => !Object.hasOwn(known, key) && !key.startsWith('x_'));
  return others.find((key) => nearest(key, [missing]) !== null) ?? null;
}

/** Says what to do about an empty text: an optional field or a list entry may be removed, a required field may not. */
function filling({ schemaPath }: ErrorObject, root: object): string {
  const path = schemaPath.split('/').slice(1, -1).map(decodeToken);
  if (path.at(-2) !== 'properties') return 'write it or remove the entry';
  const owner = path.slice(0, -2).reduce<unknown>((at, token) => (at as JsonObject | undefined)?.[token], root);
  const required: unknown = (owner as JsonObject | undefined)?.['required'];
  return Array.isArray(required) && required.includes(path.at(-1)) ? 'write it' : 'write it or remove the field';
}

/** The most frequent mistake: a command line in one text instead of a list of arguments. */
function argvHint(error: ErrorObject): string {
  const { data } = error;
  if (!takesTexts(error) || typeof data !== 'string' || data.trim() === '' || data.length > 200) return '';
  const reading = readCommand([data.trim()]);
  const argv = reading.kind === 'shell' ? shellArgv(reading.line) : data.trim().split(/\s+/);
  return argv ? ` Write it like ${JSON.stringify(argv)}.` : '';
}

/** Returns whether a list of texts must stand where the error is. */
function takesTexts({ keyword, parentSchema }: ErrorObject): boolean {
  const { items } = (parentSchema ?? {}) as { readonly items?: JsonObject };
  return keyword === 'type' && items?.['type'] === 'string';
}

function decodeToken(token: string): string {
  return decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The words of a pointer: "paths", or entry 2 of "paths". */
function fieldName(pointer: string): string {
  if (pointer === '') return 'the document';
  const tokens = pointerTokens(pointer);
  const last = tokens.at(-1) ?? '';
  if (!/^\d+$/.test(last)) return quoteName(last);
  const owner = tokens.slice(0, -1).findLast((token) => !/^\d+$/.test(token));
  return `entry ${Number(last) + 1}${owner === undefined ? '' : ` of ${quoteName(owner)}`}`;
}

function quoteName(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 57)}...` : name);
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
  const types = schemas.map((schema: { type?: unknown; enum?: unknown; const?: unknown }) => {
    if (schema.enum !== undefined) return `one of ${list(schema.enum)}`;
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    return schema.type === undefined ? 'another form' : typeWords(schema.type);
  });
  return [...new Set(types)].join(' or ');
}

const limitWords: Readonly<Record<string, string>> = { '>=': 'at least', '<=': 'at most', '>': 'above' };

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

/**
 * Returns what a JSON Schema validator does not report: fields of no contract, and texts of spaces or invisible
 * characters. Where fields are ignored, a name that begins with `x_` marks an extension.
 */
function fieldFindings(schema: object, value: unknown, unknown: Unknown = 'ignored'): readonly Finding[] {
  const walked: Walked = { unknown, findings: [] };
  walk(schema as JsonObject, value, '', walked);
  return walked.findings;
}

/** What the reader of a document does with a field of no contract, or with the document because of it. */
type Unknown = 'ignored' | 'refused';

interface Walked {
  readonly unknown: Unknown;
  readonly findings: Finding[];
}

/** The alternative of a union that the value means, by its type and constants; null when none fits. */
function alternativeFor(alternatives: readonly unknown[], value: unknown): JsonObject | null {
  const fitting = alternatives
    .filter(isObject)
    .filter((schema) => typeFits(schema, value) && constantsFit(schema, value));
  if (fitting.length < 2 || !isObject(value)) return fitting[0] ?? null;
  const missing = (schema: JsonObject): number =>
    textsOf(schema['required']).filter((key) => !Object.hasOwn(value, key)).length;
  return fitting.reduce((best, schema) => (missing(schema) < missing(best) ? schema : best));
}

function propertiesOf(schema: JsonObject): JsonObject {
  const properties = schema['properties'];
  return isObject(properties) ? properties : {};
}

/** Searching for a similar name takes time, and hundreds of suggestions are useless. */
const suggestionsWanted = 50;

function walk(schema: JsonObject, value: unknown, pointer: string, walked: Walked): void {
  if (walked.findings.length >= mostFindings) return;
  const alternatives = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(alternatives)) {
    const chosen = alternativeFor(alternatives, value);
    if (chosen !== null) walk(chosen, value, pointer, walked);
  } else if (typeof value === 'string') {
    if (mustBeFilled(schema) && value !== '' && isBlank(value)) walked.findings.push(blank(pointer));
  } else if (Array.isArray(value)) {
    const items = schema['items'];
    if (isObject(items)) for (const [index, item] of value.entries()) walk(items, item, `${pointer}/${index}`, walked);
  } else if (isObject(value)) {
    walkObject(schema, value, pointer, walked);
  }
}

function walkObject(schema: JsonObject, value: JsonObject, pointer: string, walked: Walked): void {
  const { findings, unknown } = walked;
  const properties = propertiesOf(schema);
  const names = Object.keys(properties);
  const others = schema['additionalProperties'];
  for (const [key, member] of Object.entries(value)) {
    const at = `${pointer}/${pointerToken(key)}`;
    const known = Object.hasOwn(properties, key) ? properties[key] : isObject(others) ? others : null;
    if (isObject(known)) walk(known, member, at, walked);
    else if (names.length > 0 && findings.length < mostFindings && (unknown === 'refused' || !key.startsWith('x_')))
      findings.push(unknownField(key, at, unknown, findings.length < suggestionsWanted ? nearest(key, names) : null));
  }
}

function unknownField(key: string, pointer: string, unknown: Unknown, near: string | null): Finding {
  const name = JSON.stringify(key.length > 80 ? `${key.slice(0, 76)}...` : key);
  const meant = `did you mean ${JSON.stringify(near)}?`;
  if (unknown === 'ignored') {
    const message = `${name} is in no contract and is ignored; ${near === null ? 'remove it, or start its name with x_ to keep it.' : meant}`;
    return { code: 'FIELD_UNKNOWN', severity: 'warning', pointer, message };
  }
  const message = `${name} is in no contract, so the file is refused; ${near === null ? 'remove it.' : meant}`;
  return { code: 'FIELD_UNKNOWN', severity: 'error', pointer, message };
}

function mustBeFilled(schema: JsonObject): boolean {
  const { minLength, pattern } = schema;
  return (typeof minLength === 'number' && minLength > 0) || pattern === filledPattern;
}

function blank(pointer: string): Finding {
  return {
    code: 'SCHEMA_INVALID',
    severity: 'error',
    pointer,
    message: 'This text holds nothing that a reader can see, only spaces or invisible characters; write it out.',
    empty: true,
  };
}

function typeFits(schema: JsonObject, value: unknown): boolean {
  const type = schema['type'];
  if (type === undefined) return true;
  const own = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.includes(own) || (own === 'number' && types.includes('integer'));
}

function constantsFit(schema: JsonObject, value: unknown): boolean {
  if (!isObject(value)) return true;
  return Object.entries(propertiesOf(schema)).every(([key, property]) => {
    const only = isObject(property) ? property['const'] : undefined;
    return only === undefined || !Object.hasOwn(value, key) || value[key] === only;
  });
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
