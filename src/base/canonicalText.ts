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
