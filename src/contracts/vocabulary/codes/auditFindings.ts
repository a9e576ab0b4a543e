/** The findings of `audit verify`, each with its meaning. All but AUDIT_OPEN make an audit log invalid. */
export const auditMeanings = {
  AUDIT_CHAIN_BROKEN: 'The hash chain of the journal breaks.',
  AUDIT_FILE_CHANGED: 'The exported log was cut or changed, or differs from the journal here.',
  AUDIT_LINE_INVALID: 'A line of the exported log has not its form.',
  AUDIT_RECORD_CHANGED: 'A record is not the one whose digest the seal has.',
  AUDIT_RECORD_MISSING: 'A record whose digest the seal has is gone.',
  AUDIT_RECORD_MOVED: 'A record stands in another place than the one in which it was sealed.',
  AUDIT_RECORD_ADDED: 'The seal of the attempt does not have this record.',
  AUDIT_SEAL_BROKEN: 'The seal or closing of an attempt is gone, or fits other records, another mission, run or plan.',
  AUDIT_ATTEMPT_MISSING: 'The seal of an attempt does not follow the closing before it.',
  AUDIT_CALLS_WRONG:
    'The invocation records of a task contradict themselves, or are not one for each launch or session, in order.',
  AUDIT_OPEN: 'The attempt is not closed yet, so no seal covers its records.',
} as const;
export type AuditFindingCode = keyof typeof auditMeanings;

/** What a person does next. */
export const auditSteps: Readonly<Record<AuditFindingCode, string>> = {
  AUDIT_CHAIN_BROKEN: 'Keep a copy of the state folder, and find out who changed the history.',
  AUDIT_FILE_CHANGED: 'Export it anew where the mission ran, and find out who changed the file.',
  AUDIT_LINE_INVALID: 'Export it anew where the mission ran, and find out who changed the file.',
  AUDIT_RECORD_CHANGED: 'Do not rely on this record: it is not the one that was sealed.',
  AUDIT_RECORD_MISSING: 'Do not rely on this log: a record that was sealed is gone.',
  AUDIT_RECORD_MOVED: 'Do not rely on this log: its records are not in the order in which they were sealed.',
  AUDIT_RECORD_ADDED: 'Do not rely on this record: no seal knows it.',
  AUDIT_SEAL_BROKEN: 'Do not rely on the records of this attempt: its seal is not the one that was made.',
  AUDIT_ATTEMPT_MISSING: 'Do not rely on this log: an attempt that was closed before this one is gone.',
  AUDIT_CALLS_WRONG: 'Do not rely on the invocations of this task: one is missing or counted twice.',
  AUDIT_OPEN: 'Verify again when the attempt has ended.',
};

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
