/** Milliseconds since 1970 of an ISO-8601 time, UTC without a zone; null: no such time. Source: seed 003. */
export function parseMoment(text: string): number | null {
  const parts = form.exec(text);
  if (parts === null) return null;
  const [, date = '', time = '', fraction = '', sign = '', hours = '0', minutes = '0'] = parts;
  const utc = Date.parse(`${date}T${time}Z`);
  // `Date` turns a time that does not exist into another one, or into none.
  if (Number.isNaN(utc) || !new Date(utc).toISOString().startsWith(`${date}T${time}`)) return null;
  if (Number(hours) > 23 || Number(minutes) > 59) return null;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  return utc + Math.trunc(Number(`0.${fraction === '' ? '0' : fraction}`) * 1000) - offset;
}

/** ISO-8601, limited to the years 0000 to 9999 that `parseMoment` reads. */
export function moment(milliseconds: number): string {
  return new Date(Math.min(Math.max(milliseconds, earliest), latest)).toISOString();
}

const earliest = Date.parse('0000-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

const form = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])(\d{2}):?(\d{2}))?$/;
