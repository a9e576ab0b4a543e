/** Everything `evidence verify` can say, how much it matters and what a person does about it. Only errors make evidence invalid. */
export const evidenceFindings = {
  PLAN_ID_INVALID: { severity: 'error', next: 'Name the folder of an execution.' },
  EVIDENCE_MISSING: { severity: 'error', next: 'Check the plan id, or bring the folder back from git.' },
  EVIDENCE_LINKED: { severity: 'error', next: 'Put the real files there; a link is never followed.' },
  EVIDENCE_UNREADABLE: { severity: 'error', next: 'Make it readable for your user and verify again.' },
  HEADER_INVALID: {
    severity: 'error',
    next: 'Bring the file back as it was written; git has it where it was committed.',
  },
  HEADER_SEAL_BROKEN: { severity: 'error', next: 'Find out who changed it; bring the file back as it was written.' },
  HEADER_SEAL_MISSING: { severity: 'error', next: 'Find out who changed it; bring the file back as it was written.' },
  /** Written by another executor: no digests to compare with. */
  EVIDENCE_UNSEALED: { severity: 'info', next: 'Nothing; compare the files with another copy if they matter.' },
  MISSION_OPEN: { severity: 'info', next: 'Verify again when the mission has ended.' },
  LOCKED_PLAN_MISSING: {
    severity: 'error',
    next: 'Bring the file back; without it nobody can show what was approved.',
  },
  LOCKED_PLAN_INVALID: { severity: 'error', next: 'Bring the file back as it was written.' },
  PLAN_HASH_MISMATCH: { severity: 'error', next: 'Bring the locked bytes back; find out who changed them.' },
  PLAN_FILE_MISSING: { severity: 'info', next: 'Nothing; the locked plan counts.' },
  PLAN_CHANGED_SINCE: {
    severity: 'info',
    next: 'Nothing; the locked plan counts. A changed plan needs a new plan_id to run.',
  },
  TASK_FILE_MISSING: { severity: 'error', next: 'Bring the file back as it was written.' },
  TASK_FILE_INVALID: { severity: 'error', next: 'Bring the file back as it was written.' },
  TASK_FILE_UNEXPECTED: { severity: 'error', next: 'Find out where it comes from and move it away.' },
  TASK_DIGEST_MISMATCH: { severity: 'error', next: 'Find out who changed it; bring the file back as it was written.' },
  TASK_DIGEST_MISSING: { severity: 'error', next: 'Bring the header back as it was written.' },
  TASK_STATUS_MISMATCH: {
    severity: 'error',
    next: 'Do not rely on this evidence: header and task contradict each other.',
  },
  STATE_INCONSISTENT: {
    severity: 'error',
    next: 'Do not rely on this evidence: the header contradicts itself or its plan.',
  },
  CRITERIA_INCONSISTENT: { severity: 'error', next: 'Do not rely on this evidence: the header contradicts itself.' },
  SUMMARY_MISSING: { severity: 'error', next: 'Bring the file back as it was written.' },
  SUMMARY_DIGEST_MISMATCH: {
    severity: 'error',
    next: 'Find out who changed it; bring the file back as it was written.',
  },
  FILE_UNEXPECTED: { severity: 'warning', next: 'Find out where it comes from and move it away.' },
  OUTPUT_CHANGED_SINCE: { severity: 'info', next: 'Nothing, if somebody went on working on it.' },
  /** An earlier execution is not in the archive as the header, or the journal, says. */
  ARCHIVE_DISAGREES: {
    severity: 'error',
    next: 'Bring the archived execution back as it was; find out who changed it.',
  },
  /** An execution of the plan that the journal knows is neither the last one nor archived: moved away, or on another branch. */
  EXECUTION_ABSENT: { severity: 'warning', next: 'Look for it on another branch; bring it back if it was removed.' },
  /** An archived execution that holds, and that nothing but itself tells of. */
  EXECUTION_UNCONFIRMED: { severity: 'warning', next: 'Find out where it comes from before you rely on it.' },
  JOURNAL_ABSENT: { severity: 'info', next: 'Verify where the mission ran to compare with its journal as well.' },
  JOURNAL_CHAIN_BROKEN: { severity: 'error', next: 'Keep a copy of the state folder: somebody changed the history.' },
  JOURNAL_DISAGREES: {
    severity: 'error',
    next: 'Do not rely on this evidence before you know which of the two was changed.',
  },
} as const satisfies Readonly<
  Record<string, { readonly severity: 'error' | 'warning' | 'info'; readonly next: string }>
>;
export type EvidenceFindingCode = keyof typeof evidenceFindings;

/** `file` is relative to docs/ops/executions/<plan_id>/, or to the workspace root when it is outside ('' for the whole). */
export interface EvidenceFinding {
  readonly code: EvidenceFindingCode;
  readonly severity: 'error' | 'warning' | 'info';
  readonly file: string;
  /** JSON pointer into the file. */
  readonly pointer: string;
  readonly message: string;
  /** What a person does about it. */
  readonly next: string;
  /** What explains it without excusing it. */
  readonly hint?: string;
}

export function evidenceFinding(
  code: EvidenceFindingCode,
  file: string,
  message: string,
  pointer = '',
  hint: string | null = null,
): EvidenceFinding {
  return {
    code,
    ...evidenceFindings[code],
    file,
    pointer,
    message,
    ...(hint === null ? {} : { hint }),
  };
}

/** Digests are compared without regard to case. */
export function sameDigest(a: string, b: string): boolean {
  return a.toUpperCase() === b.toUpperCase();
}
