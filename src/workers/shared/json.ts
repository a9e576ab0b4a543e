// Readers of values that a worker wrote. Only own properties of the expected type count: a hostile `__proto__`, or a
// number in place of a text, reads as absent. Nothing is merged into another object.

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own property `key`, or undefined. */
export function member(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function textOf(value: unknown, key: string): string | null {
  const found = member(value, key);
  return typeof found === 'string' ? found : null;
}

/** A non-negative safe integer, or null. */
export function countOf(value: unknown, key: string): number | null {
  const found = member(value, key);
  return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0 ? found : null;
}

/** A finite, non-negative number, or null. */
export function amountOf(value: unknown, key: string): number | null {
  const found = member(value, key);
  return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : null;
}

export function listOf(value: unknown, key: string): readonly unknown[] {
  const found = member(value, key);
  return Array.isArray(found) ? found : [];
}

/** The first `max` code units of a text, copied: a slice would keep its whole line (up to 10 MB) in memory. */
export function head(text: string, max: number): string {
  return text.length <= max ? text : copy(text.slice(0, max));
}

/** The last `max` code units of a text, copied likewise. */
export function tail(text: string, max: number): string {
  return text.length <= max ? text : copy(text.slice(text.length - max));
}

/** A text that shares no memory with the one it was cut from. */
export function copy(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
