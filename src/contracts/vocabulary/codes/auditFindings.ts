export interface Judgement<Severity> {
  readonly severity: Severity;
  readonly meaning: string;
  readonly next: string;
}
export const error = (meaning: string, next: string): Judgement<'error'> => ({ severity: 'error', meaning, next });
export const info = (meaning: string, next: string): Judgement<'info'> => ({ severity: 'info', meaning, next });

const keep = 'Keep a copy of the state folder, and find out who changed the history.';
const again = 'Export it anew where the mission ran, and find out who changed the file.';

/**
 * The findings of `audit verify`, each with its meaning and what a person does next. Only errors make an audit log
 * invalid.
 */
export const auditFindings = {
  AUDIT_CHAIN_BROKEN: error('The hash chain of the journal breaks.', keep),
  AUDIT_FILE_CHANGED: error('The exported log was cut or changed, or differs from the journal here.', again),
  AUDIT_LINE_INVALID: error('A line of the exported log has not its form.', again),
  AUDIT_RECORD_CHANGED: error(
    'A record is not the one whose digest the seal has.',
    'Do not rely on this record: it is not the one that was sealed.',
  ),
  AUDIT_RECORD_MISSING: error(
    'A record whose digest the seal has is gone.',
    'Do not rely on this log: a record that was sealed is gone.',
  ),
  AUDIT_RECORD_MOVED: error(
    'A record stands in another place than the one in which it was sealed.',
    'Do not rely on this log: its records are not in the order in which they were sealed.',
  ),
  AUDIT_RECORD_ADDED: error(
    'The seal of the attempt does not have this record.',
    'Do not rely on this record: no seal knows it.',
  ),
  AUDIT_SEAL_BROKEN: error(
    'The seal or closing of an attempt is gone, or fits other records, another mission, run or plan.',
    'Do not rely on the records of this attempt: its seal is not the one that was made.',
  ),
  AUDIT_ATTEMPT_MISSING: error(
    'The seal of an attempt does not follow the closing before it.',
    'Do not rely on this log: an attempt that was closed before this one is gone.',
  ),
  AUDIT_CALLS_WRONG: error(
    'The invocation records of a task contradict themselves, or are not one for each launch or session, in order.',
    'Do not rely on the invocations of this task: one is missing or counted twice.',
  ),
  AUDIT_OPEN: info(
    'The attempt is not closed yet, so no seal covers its records.',
    'Verify again when the attempt has ended.',
  ),
};
export type AuditFindingCode = keyof typeof auditFindings;

export interface AuditFinding {
  readonly code: AuditFindingCode;
  readonly severity: 'error' | 'warning' | 'info';
  /** What it is about, in words; '': the whole log. */
  readonly record: string;
  /** The event of the journal, or the line of the file; null: all of it. */
  readonly place: number | null;
  readonly task_id: string | null;
  readonly attempt: number | null;
  readonly call_index: number | null;
  readonly message: string;
  /** What a person does about it. */
  readonly next: string;
}
