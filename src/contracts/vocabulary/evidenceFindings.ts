type Severity = 'error' | 'warning' | 'info';
interface Judgement {
  readonly severity: Severity;
  readonly next: string;
}
const error = (next: string): Judgement => ({ severity: 'error', next });
const warning = (next: string): Judgement => ({ severity: 'warning', next });
const info = (next: string): Judgement => ({ severity: 'info', next });

/**
 * The findings of `evidence verify`, each with what a person does next. `packet show` shows those
 * about the files of a packet. Only errors make evidence invalid.
 */
export const evidenceFindings = {
  PLAN_ID_INVALID: error('Name the folder of an execution.'),
  /** No folder is there, and no journal here knows a run of the plan. */
  EVIDENCE_NONE: error(
    'Check the plan id. If the plan has not run, run it first; if it ran elsewhere, bring its folder here.',
  ),
  EVIDENCE_MISSING: error('Check the plan id, or bring the folder back from git.'),
  EVIDENCE_LINKED: error('Put the real files there; a link is never followed.'),
  EVIDENCE_UNREADABLE: error(
    'Give your user permission to read it, on Linux and macOS with `chmod -R u+rX` on its folder, and verify again.',
  ),
  HEADER_INVALID: error('Bring the file back as it was written; git has it where it was committed.'),
  HEADER_SEAL_BROKEN: error('Find out who changed it; bring the file back as it was written.'),
  HEADER_SEAL_MISSING: error('Find out who changed it; bring the file back as it was written.'),
  /** Another executor wrote it, without digests to compare with. */
  EVIDENCE_UNSEALED: info('Nothing; compare the files with another copy if they matter.'),
  MISSION_OPEN: info('Verify again when the mission has ended.'),
  LOCKED_PLAN_MISSING: error('Bring the file back, because it alone shows what was approved.'),
  LOCKED_PLAN_INVALID: error('Bring the file back as it was written.'),
  PLAN_HASH_MISMATCH: error('Bring the locked bytes back; find out who changed them.'),
  PLAN_FILE_MISSING: info('Nothing; the locked plan counts.'),
  PLAN_CHANGED_SINCE: info('Nothing; the locked plan counts. A changed plan needs a new plan_id to run.'),
  TASK_FILE_MISSING: error('Bring the file back as it was written.'),
  TASK_FILE_INVALID: error('Bring the file back as it was written.'),
  TASK_FILE_UNEXPECTED: error('Find out where it comes from and move it away.'),
  TASK_DIGEST_MISMATCH: error('Find out who changed it; bring the file back as it was written.'),
  TASK_DIGEST_MISSING: error('Bring the header back as it was written.'),
  TASK_STATUS_MISMATCH: error('Do not rely on this evidence: header and task contradict each other.'),
  STATE_INCONSISTENT: error('Do not rely on this evidence: the header contradicts itself or its plan.'),
  CRITERIA_INCONSISTENT: error('Do not rely on this evidence: the header contradicts itself.'),
  SUMMARY_MISSING: error('Bring the file back as it was written.'),
  SUMMARY_DIGEST_MISMATCH: error('Find out who changed it; bring the file back as it was written.'),
  /** The bytes that a task worked with are not those whose digest was recorded. */
  CONTEXT_CHANGED: error('Do not rely on what this task worked with; find out who changed the kept snapshot.'),
  CONTEXT_NOT_KEPT: info('Nothing; the digest stands, and the snapshot was cleaned up or lies where the mission ran.'),
  /** A decision that was saved is not the one whose digest was recorded. */
  MEMORY_CHANGED: error('See `mission memory verify`, and bring the file back as it was saved.'),
  MEMORY_NOT_KEPT: info('Nothing; the digest stands, and the memory lies where the mission ran, or was set aside.'),
  FILE_UNEXPECTED: warning('Find out where it comes from and move it away.'),
  /** A rule of the repository or of the person keeps it out of every commit. */
  EVIDENCE_IGNORED: warning('Take that line out, or add the folder with `git add --force`.'),
  OUTPUT_CHANGED_SINCE: info('Nothing, if work on it went on.'),
  /** The evidence of the mission that did a task, which a revision carried over, is not as it was then. */
  CARRIED_DISAGREES: error('Bring the evidence of the earlier execution back as it was; find out who changed it.'),
  /** The archive contradicts what the header or the journal says about an earlier execution. */
  ARCHIVE_DISAGREES: error('Bring the archived execution back as it was; find out who changed it.'),
  /** The journal knows an execution that is neither the last one nor archived: moved away, or on another branch. */
  EXECUTION_ABSENT: warning('Look for it on another branch; bring it back if it was removed.'),
  /** An archived execution is valid, but neither header nor journal mentions it. */
  EXECUTION_UNCONFIRMED: warning('Find out where it comes from before you rely on it.'),
  JOURNAL_ABSENT: info('Verify where the mission ran to compare with its journal as well.'),
  JOURNAL_CHAIN_BROKEN: error('Keep a copy of the state folder, because the history was changed.'),
  AUDIT_LOG_BROKEN: error('See `mission audit verify`, and keep a copy of the state folder.'),
  PACKET_CHANGED: error('Find out who changed it. What is possible comes from the journal, so you can decide by it.'),
  PACKET_TEXT_CHANGED: warning('Find out who changed it. A decision does not need this file.'),
  JOURNAL_DISAGREES: error('Find out which of the two was changed, because until then the evidence proves nothing.'),
};
export type EvidenceFindingCode = keyof typeof evidenceFindings;

/** `file` is relative to docs/ops/executions/<plan_id>/, or to the workspace root when it is outside; '': all of it. */
export interface EvidenceFinding {
  readonly code: EvidenceFindingCode;
  readonly severity: Severity;
  readonly file: string;
  /** JSON pointer into the file. */
  readonly pointer: string;
  readonly message: string;
  /** What a person does about it. */
  readonly next: string;
  /** A harmless explanation; the finding stands. */
  readonly hint?: string;
}

export function evidenceFinding(
  code: EvidenceFindingCode,
  file: string,
  message: string,
  pointer = '',
): EvidenceFinding {
  return { code, ...evidenceFindings[code], file, pointer, message };
}

export function withHint(finding: EvidenceFinding, hint: string | null): EvidenceFinding {
  return hint === null ? finding : { ...finding, hint };
}

/**
 * Adds why other bytes are harmless. The next step then is to bring the bytes back, not to find out who changed them.
 * What was committed already comes back file by file, because an older commit may lack other files of the folder.
 * @param place what git brings back, relative to the workspace root
 */
export function withForm(finding: EvidenceFinding, hint: string | null, place: string): EvidenceFinding {
  if (hint === null) return finding;
  const next = `Where \`git diff -- ${place}\` shows nothing but format, bring the bytes back with \`git restore -- ${place}\`. Where it shows nothing, look for the COMMIT before the format with \`git log -p -- FILE\`. Then \`git restore --source=COMMIT -- FILE\` brings its bytes back.`;
  return { ...finding, hint, next };
}

/** Digests are compared without regard to case. */
export function sameDigest(a: string, b: string): boolean {
  return a.toUpperCase() === b.toUpperCase();
}
