import { pointerToken, isObject, type JsonObject } from '../../base/json';
import { filledPattern, isBlank } from '../../contracts/vocabulary/forms';
import type { Finding } from '../../core/documents/finding';
import { nearest } from '../../base/text/nearest';

/**
 * Returns what a JSON Schema validator does not report: fields of no contract, and texts of spaces or invisible
 * characters. Where fields are ignored, a name that begins with `x_` marks an extension.
 */
export function fieldFindings(schema: object, value: unknown, unknown: Unknown = 'ignored'): readonly Finding[] {
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
export function alternativeFor(alternatives: readonly unknown[], value: unknown): JsonObject | null {
  const fitting = alternatives
    .filter(isObject)
    .filter((schema) => typeFits(schema, value) && constantsFit(schema, value));
  if (fitting.length < 2 || !isObject(value)) return fitting[0] ?? null;
  const missing = (schema: JsonObject): number =>
    textsOf(schema['required']).filter((key) => !Object.hasOwn(value, key)).length;
  return fitting.reduce((best, schema) => (missing(schema) < missing(best) ? schema : best));
}

export function propertiesOf(schema: JsonObject): JsonObject {
  const properties = schema['properties'];
  return isObject(properties) ? properties : {};
}

/** Searching for a similar name takes time, and hundreds of suggestions are useless. */
const suggestionsWanted = 50;

function walk(schema: JsonObject, value: unknown, pointer: string, walked: Walked): void {
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
    else if (names.length > 0 && (unknown === 'refused' || !key.startsWith('x_')))
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
