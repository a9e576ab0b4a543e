import { sha256 } from '../../base/sha256';
import { auditEndSchema, auditHeadSchema, auditRecordSchema, type AuditFile } from '../../contracts/audit';

export function readAuditFile(text: string): AuditFile {
  const lines = text.split('\n');
  const endsLine = lines.at(-1) === '';
  const last = lines.length - (endsLine ? 2 : 1);
  const end = last > 0 ? parsed(lines[last] ?? '', auditEndSchema) : null;
  const records: { place: number; at: string; event: unknown }[] = [];
  const invalid_lines: number[] = [];
  for (let line = 1; line < (end ? last : last + 1); line++) {
    const record = parsed(lines[line] ?? '', auditRecordSchema);
    if (record) records.push({ place: line + 1, ...record });
    else invalid_lines.push(line + 1);
  }
  const before = text.slice(0, text.length - (lines[last] ?? '').length - 1);
  return {
    head: parsed(lines[0] ?? '', auditHeadSchema),
    records,
    invalid_lines,
    end: !end || !endsLine ? 'gone' : end.sha256 === sha256(before) && end.records === last - 1 ? 'holds' : 'differs',
  };
}

/** The value of a line that has exactly the exported form; null: it has another form. */
function parsed<T>(
  line: string,
  schema: { safeParse(value: unknown): { readonly success: boolean; readonly data?: T } },
): T | null {
  try {
    const value: unknown = JSON.parse(line);
    // Refuses duplicate members and white space, because no digest of a record covers those bytes.
    return JSON.stringify(value) === line && schema.safeParse(value).success ? (value as T) : null;
  } catch {
    return null; // not JSON, or nested too deeply
  }
}
