/** Everything `evidence verify` can say, and how much it matters. Only errors make evidence invalid. */
export const evidenceFindingSeverities = {
  PLAN_ID_INVALID: 'error',
  EVIDENCE_MISSING: 'error',
  EVIDENCE_LINKED: 'error',
  EVIDENCE_UNREADABLE: 'error',
  HEADER_INVALID: 'error',
  HEADER_SEAL_BROKEN: 'error',
  HEADER_SEAL_MISSING: 'error',
  /** Written by another executor: no digests to compare with. */
  EVIDENCE_UNSEALED: 'info',
  MISSION_OPEN: 'info',
  LOCKED_PLAN_MISSING: 'error',
  LOCKED_PLAN_INVALID: 'error',
  PLAN_HASH_MISMATCH: 'error',
  PLAN_FILE_MISSING: 'info',
  PLAN_CHANGED_SINCE: 'info',
  TASK_FILE_MISSING: 'error',
  TASK_FILE_INVALID: 'error',
  TASK_FILE_UNEXPECTED: 'error',
  TASK_DIGEST_MISMATCH: 'error',
  TASK_DIGEST_MISSING: 'error',
  TASK_STATUS_MISMATCH: 'error',
  STATE_INCONSISTENT: 'error',
  CRITERIA_INCONSISTENT: 'error',
  SUMMARY_MISSING: 'error',
  SUMMARY_DIGEST_MISMATCH: 'error',
  FILE_UNEXPECTED: 'warning',
  OUTPUT_CHANGED_SINCE: 'info',
  /** An earlier execution is not in the archive as the header, or the journal, says. */
  ARCHIVE_DISAGREES: 'error',
  /** An execution of the plan that the journal knows is neither the last one nor archived: moved away, or on another branch. */
  EXECUTION_ABSENT: 'warning',
  /** An archived execution that holds, and that nothing but itself tells of. */
  EXECUTION_UNCONFIRMED: 'warning',
  JOURNAL_ABSENT: 'info',
  JOURNAL_CHAIN_BROKEN: 'error',
  JOURNAL_DISAGREES: 'error',
} as const satisfies Readonly<Record<string, 'error' | 'warning' | 'info'>>;
export type EvidenceFindingCode = keyof typeof evidenceFindingSeverities;
