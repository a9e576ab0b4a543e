/** ISO-8601 of a Unix time in seconds; null outside the years 2001 to 2286. */
export function isoOfUnix(seconds: number | null): string | null {
  if (seconds === null || !Number.isInteger(seconds) || seconds < 1e9 || seconds >= 1e10) return null;
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
