// Readers of a JSON value of any shape: a member that is missing or has another type reads as absent.

export type JsonObject = Readonly<Record<string, unknown>>;

/** Two-space JSON with LF and a trailing newline; keys keep their order, so the same facts give the same bytes. */
export function documentText(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Undefined where a list is empty: then a document does not have the member. */
export function filled<T>(all: readonly T[]): readonly T[] | undefined {
  return all.length > 0 ? all : undefined;
}

/** The value of a text; undefined when it is not JSON, which a check of the shape then reports. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectAt(value: unknown, key: string): JsonObject | null {
  const found = valueAt(value, key);
  return isObject(found) ? found : null;
}

export function listAt(value: unknown, key: string): readonly unknown[] | null {
  return asList(valueAt(value, key));
}

export function textAt(value: unknown, key: string): string | null {
  return asText(valueAt(value, key));
}

export function numberAt(value: unknown, key: string): number | null {
  return asNumber(valueAt(value, key));
}

// For rules that look into thousands of objects: `asText(task['task_id'])` costs a tenth of `textAt(task, 'task_id')`.
export function asList(value: unknown): readonly unknown[] | null {
  return Array.isArray(value) ? (value as readonly unknown[]) : null;
}

export function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function asNumber(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

/** Own properties only. Every inherited one is a function, and a test for that is cheaper than `hasOwn`. */
export function valueAt(value: unknown, key: string): unknown {
  const found = isObject(value) ? value[key] : undefined;
  return typeof found === 'function' ? undefined : found;
}

/** The strings of a list with their index; the schema reports the other items. */
export function textsAt(value: unknown, key: string): readonly (readonly [string, number])[] {
  return asTexts(valueAt(value, key));
}

export function asTexts(list: unknown): readonly (readonly [string, number])[] {
  if (!Array.isArray(list)) return none;
  const texts: (readonly [string, number])[] = [];
  for (let index = 0; index < list.length; index++) {
    const item: unknown = list[index];
    if (typeof item === 'string') texts.push([item, index]);
  }
  return texts;
}

const none: readonly never[] = [];

export function objectsAt(value: unknown, key: string): readonly (readonly [JsonObject, number])[] {
  const objects: (readonly [JsonObject, number])[] = [];
  listAt(value, key)?.forEach((item, index) => {
    if (isObject(item)) objects.push([item, index]);
  });
  return objects;
}

/** A value of the document inside a message: quoted and short. */
export function quoted(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'an object';
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 76)}..."` : text;
}

/** One reference token of a JSON pointer (RFC 6901). */
export function pointerToken(key: string): string {
  return /[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;
}

/** The keys and indexes that a JSON pointer names, from the outside in. */
export function pointerTokens(pointer: string): readonly string[] {
  const tokens = pointer.split('/').slice(1);
  return pointer.includes('~') ? tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~')) : tokens;
}

/** JSON with sorted members and without blanks: the same for the same content. Only for values of `JSON.parse`. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = value as Readonly<Record<string, unknown>>;
  return `{${Object.keys(members)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(members[key])}`)
    .join(',')}}`;
}
