import { isRecord } from '../shared/json';

/**
 * The subset of JSON Schema that structured outputs accept: every property is required, an optional one may be null
 * instead, and no other property is allowed. It leaves out `$schema`, `$id` and `default`.
 */
export function strictSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strictSchema);
  if (!isRecord(schema)) return schema;
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$schema' || key === '$id' || key === 'default') continue;
    if (key === 'properties' && isRecord(value)) {
      result[key] = Object.fromEntries(
        Object.entries(value).map(([name, property]) => [name, nullableUnlessRequired(schema, name, property)]),
      );
    } else {
      result[key] = strictSchema(value);
    }
  }
  if (isRecord(result['properties'])) {
    result['required'] = Object.keys(result['properties']);
    result['additionalProperties'] = false;
  }
  return result;
}

function nullableUnlessRequired(parent: Readonly<Record<string, unknown>>, name: string, property: unknown): unknown {
  const strict = strictSchema(property);
  const required = parent['required'];
  if ((Array.isArray(required) && required.includes(name)) || acceptsNull(strict)) return strict;
  return { anyOf: [strict, { type: 'null' }] };
}

function acceptsNull(schema: unknown): boolean {
  if (!isRecord(schema)) return false;
  const { type, anyOf } = schema;
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return true;
  return Array.isArray(anyOf) && anyOf.some(acceptsNull);
}
