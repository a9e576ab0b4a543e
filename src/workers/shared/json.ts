import { asList, asText, isObject } from '../../base/json';

// Readers of values that a worker wrote. Only own properties of the expected type count: a hostile `__proto__`, or a
// number in place of a text, reads as absent. Nothing is merged into another object.

/** The own property at the end of `keys`, or undefined. */
export function member(value: unknown, ...keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys) found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  return found;
}

export function textOf(value: unknown, ...keys: readonly string[]): string | null {
  return asText(member(value, ...keys));
}

/** A non-negative safe integer, or null. */
export function countOf(value: unknown, ...keys: readonly string[]): number | null {
  const found = member(value, ...keys);
  return Number.isSafeInteger(found) && typeof found === 'number' && found >= 0 ? found : null;
}

/** A finite, non-negative number, or null. */
export function amountOf(value: unknown, key: string): number | null {
  const found = member(value, key);
  return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : null;
}

export function listOf(value: unknown, ...keys: readonly string[]): readonly unknown[] {
  return asList(member(value, ...keys)) ?? [];
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
