const error = (next: string): { readonly severity: 'error'; readonly next: string } => ({ severity: 'error', next });
const warning = (next: string): { readonly severity: 'warning'; readonly next: string } => ({
  severity: 'warning',
  next,
});
const info = (next: string): { readonly severity: 'info'; readonly next: string } => ({ severity: 'info', next });

const keep = 'Keep a copy of the state folder, and find out who changed the history.';
const again = 'Export it anew where the mission ran, and find out who changed the file.';

/** The findings of `audit verify`, each with what a person does next. Only errors make an audit log invalid. */
export const auditFindings = {
  AUDIT_CHAIN_BROKEN: error(keep),
  AUDIT_FILE_CHANGED: error(again),
  AUDIT_LINE_INVALID: error(again),
  AUDIT_RECORD_CHANGED: error('Do not rely on this record: it is not the one that was sealed.'),
  AUDIT_RECORD_MISSING: error('Do not rely on this log: a record that was sealed is gone.'),
  AUDIT_RECORD_MOVED: error('Do not rely on this log: its records are not in the order in which they were sealed.'),
  AUDIT_RECORD_ADDED: error('Do not rely on this record: no seal knows it.'),
  AUDIT_SEAL_BROKEN: error('Do not rely on the records of this attempt: its seal is not the one that was made.'),
  AUDIT_ATTEMPT_MISSING: error('Do not rely on this log: an attempt that was closed before this one is gone.'),
  AUDIT_CALLS_WRONG: error('Do not rely on the invocations of this task: one is missing or counted twice.'),
  /** An older version closed it, without a seal. */
  AUDIT_UNSEALED: warning('Nothing; only the chain of the journal speaks for this attempt.'),
  AUDIT_OPEN: info('Verify again when the attempt has ended.'),
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
