/**
 * Reading values that a worker wrote. Only own properties count, every type is checked by hand, nothing is
 * ever merged into another object: a hostile `__proto__` or a number where a text belongs is simply absent.
 */
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

/** A finite, non-negative whole number, or null. */
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

/**
 * The first `max` code units of a text. A clipped text is copied: a slice would keep the whole line it came
 * from (up to 10 MB) in memory for as long as the summary lives.
 */
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
