/**
 * JSON text with the members of every object sorted by UTF-16 code units and no spaces: the same for two documents with
 * the same content. Only for values that `JSON.parse` gave.
 */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = value as Readonly<Record<string, unknown>>;
  return `{${Object.keys(members)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(members[key])}`)
    .join(',')}}`;
}
