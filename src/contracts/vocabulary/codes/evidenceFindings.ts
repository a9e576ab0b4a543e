import { isLineEndsHint, mergeHint, pointerHint } from '../files/evidenceFiles';

/** The findings of `evidence verify`, each with its meaning. `packet show` shows those about the files of a packet. */
export const evidenceMeanings = {
  PLAN_ID_INVALID: 'The name is no plan id, so it names no folder of evidence.',
  EVIDENCE_NONE: 'No folder of evidence is there, and no journal here knows a run of the plan.',
  EVIDENCE_MISSING: 'The folder of the evidence, or the header in it, is not there.',
  EVIDENCE_LINKED: 'A symbolic link stands where evidence should be, so it is not read.',
  EVIDENCE_UNREADABLE: 'A file or folder of the evidence cannot be read.',
  HEADER_INVALID: 'The header has not its form, or belongs to another plan or mission.',
  HEADER_SEAL_BROKEN: 'The header was changed after it was written: its own digest does not fit.',
  HEADER_SEAL_MISSING: 'The header has lost its digest, so it is not as it was written.',
  EVIDENCE_UNSEALED: 'Another executor wrote the evidence without digests, so only the plan hash can be checked.',
  MISSION_OPEN: 'The mission has not ended, so its evidence is not complete yet.',
  EVIDENCE_UNFINISHED:
    'The journal knows more than the evidence, because the runner could not write it or stopped before.',
  LOCKED_PLAN_MISSING: 'The copy of the approved plan, `PLAN.locked.json`, is gone.',
  LOCKED_PLAN_INVALID: 'The locked plan is no plan with tasks, or has another plan id than the header.',
  PLAN_HASH_MISMATCH:
    'The locked plan, or the plan file where no locked plan is there, has another hash than the header.',
  PLAN_FILE_MISSING: 'The plan file is gone or cannot be read, so it was not compared with the locked plan.',
  PLAN_CHANGED_SINCE: 'The plan file is no longer the locked plan; the locked plan itself holds.',
  TASK_FILE_MISSING: 'The evidence of a task or of a milestone is not there.',
  TASK_FILE_INVALID: 'The evidence of a task or milestone has not its form, or belongs to another plan or file name.',
  TASK_FILE_UNEXPECTED: 'A file is about a task or milestone that the execution does not have.',
  TASK_DIGEST_MISMATCH: 'The file was changed after it was written: its digest is not the one in the header.',
  TASK_DIGEST_MISSING: 'The header has no digest of a file that is there.',
  TASK_STATUS_MISMATCH: 'What a task file says contradicts the header, the approved plan or itself.',
  STATE_INCONSISTENT: 'The header contradicts itself or the locked plan, for example in its state, outcome or tasks.',
  CRITERIA_INCONSISTENT: 'The results of the success criteria contradict the outcome or the tasks.',
  SUMMARY_MISSING: 'The summary, or its digest in the header, is not there.',
  SUMMARY_DIGEST_MISMATCH: 'The summary was changed after it was written.',
  CONTEXT_CHANGED: 'A kept context is not the one that was frozen and given to the worker.',
  CONTEXT_NOT_KEPT: 'The kept context of an attempt is gone, so it was not compared with its digest.',
  MEMORY_CHANGED: 'A remembered decision is not as the attempt saved it.',
  MEMORY_NOT_KEPT: 'A remembered decision is gone from the memory, so it was not compared with its digest.',
  FILE_UNEXPECTED: 'A file or folder lies in the evidence and is no part of it.',
  EVIDENCE_IGNORED: 'A rule of git keeps the evidence out of every commit.',
  OUTPUT_CHANGED_SINCE: 'A file is not as its task left it.',
  CARRIED_DISAGREES: 'The evidence of a task that a revision carried over is not as it was then.',
  ARCHIVE_DISAGREES: 'The archive contradicts what the header or the journal says about an earlier execution.',
  EXECUTION_ABSENT: 'The journal knows an execution whose evidence is neither the last one nor archived here.',
  EXECUTION_UNCONFIRMED: 'An archived execution holds by itself, but neither header nor journal mentions it.',
  JOURNAL_ABSENT: 'No journal was compared, so the files are checked against each other only.',
  JOURNAL_FOREIGN: 'No seal of this user holds for the journal, so it confirms nothing.',
  JOURNAL_CHAIN_BROKEN: 'The hash chain of the journal breaks, so its history was changed.',
  AUDIT_LOG_BROKEN: 'The audit log of the journal does not hold.',
  PACKET_CHANGED: 'The packet is not as the runner wrote it: its digest is not the recorded one.',
  PACKET_TEXT_CHANGED: 'The readable text of a packet does not say what the recorded packet says.',
  JOURNAL_DISAGREES: 'Evidence and journal say different things about the same fact.',
} as const;
export type EvidenceFindingCode = keyof typeof evidenceMeanings;

const back = 'Bring the file back as it was written.';
const changed = 'Find out who changed it; bring the file back as it was written.';

/** What a person does next. */
export const evidenceSteps: Readonly<Record<EvidenceFindingCode, string>> = {
  PLAN_ID_INVALID: 'Name the folder of an execution.',
  EVIDENCE_NONE:
    'Check the plan id. If the plan has not run, run it first; if it ran elsewhere, bring its folder here.',
  EVIDENCE_MISSING: 'Check the plan id, or bring the folder back from git.',
  EVIDENCE_LINKED: 'Put the real files there; a link is never followed.',
  EVIDENCE_UNREADABLE:
    'Give your user permission to read it, on Linux and macOS with `chmod -R u+rX` on its folder, and verify again.',
  HEADER_INVALID: 'Bring the file back as it was written; git has it where it was committed.',
  HEADER_SEAL_BROKEN: changed,
  HEADER_SEAL_MISSING: changed,
  EVIDENCE_UNSEALED: 'Nothing; compare the files with another copy if they matter.',
  MISSION_OPEN: 'Verify again when the mission has ended.',
  EVIDENCE_UNFINISHED: 'Mend what the message names, then run `mission resume MISSION`, which writes the rest.',
  LOCKED_PLAN_MISSING: 'Bring the file back, because it alone shows what was approved.',
  LOCKED_PLAN_INVALID: back,
  PLAN_HASH_MISMATCH: 'Bring the locked bytes back; find out who changed them.',
  PLAN_FILE_MISSING: 'Nothing; the locked plan counts.',
  PLAN_CHANGED_SINCE: 'Nothing; the locked plan counts. A changed plan needs a new plan_id to run.',
  TASK_FILE_MISSING: back,
  TASK_FILE_INVALID: back,
  TASK_FILE_UNEXPECTED: 'Find out where it comes from and move it away.',
  TASK_DIGEST_MISMATCH: changed,
  TASK_DIGEST_MISSING: 'Bring the header back as it was written.',
  TASK_STATUS_MISMATCH: 'Do not rely on this evidence: header and task contradict each other.',
  STATE_INCONSISTENT: 'Do not rely on this evidence: the header contradicts itself or its plan.',
  CRITERIA_INCONSISTENT: 'Do not rely on this evidence: the header contradicts itself.',
  SUMMARY_MISSING: back,
  SUMMARY_DIGEST_MISMATCH: changed,
  CONTEXT_CHANGED: 'Do not rely on what this task worked with; find out who changed the kept snapshot.',
  CONTEXT_NOT_KEPT: 'Nothing; the digest stands, and the snapshot was cleaned up or lies where the mission ran.',
  MEMORY_CHANGED: 'See `mission memory verify`, and bring the file back as it was saved.',
  MEMORY_NOT_KEPT: 'Nothing; the digest stands, and the memory lies where the mission ran, or was set aside.',
  FILE_UNEXPECTED: 'Find out where it comes from and move it away.',
  EVIDENCE_IGNORED: 'Take the line that ignores it out, or add the folder with `git add --force`.',
  OUTPUT_CHANGED_SINCE: 'Nothing, if work on it went on.',
  CARRIED_DISAGREES: 'Bring the evidence of the earlier execution back as it was; find out who changed it.',
  ARCHIVE_DISAGREES: 'Bring the archived execution back as it was; find out who changed it.',
  EXECUTION_ABSENT: 'Look for it on another branch; bring it back if it was removed.',
  EXECUTION_UNCONFIRMED: 'Find out where it comes from before you rely on it.',
  JOURNAL_ABSENT: 'Verify where the mission ran to compare with its journal as well.',
  JOURNAL_FOREIGN: 'Verify where the mission ran, as the person who started it.',
  JOURNAL_CHAIN_BROKEN: 'Keep a copy of the state folder, because the history was changed.',
  AUDIT_LOG_BROKEN: 'See `mission audit verify`, and keep a copy of the state folder.',
  PACKET_CHANGED: 'Find out who changed it. What is possible comes from the journal, so you can decide by it.',
  PACKET_TEXT_CHANGED: 'Find out who changed it. A decision does not need this file.',
  JOURNAL_DISAGREES: 'Find out which of the two was changed, because until then the evidence proves nothing.',
};

/** Only errors make evidence invalid; what is not named here is one. */
export const evidenceSeverities: { readonly [C in EvidenceFindingCode]?: 'warning' | 'info' } = {
  EVIDENCE_UNSEALED: 'info',
  MISSION_OPEN: 'info',
  PLAN_FILE_MISSING: 'info',
  PLAN_CHANGED_SINCE: 'info',
  CONTEXT_NOT_KEPT: 'info',
  MEMORY_NOT_KEPT: 'info',
  FILE_UNEXPECTED: 'warning',
  EVIDENCE_IGNORED: 'warning',
  OUTPUT_CHANGED_SINCE: 'info',
  EXECUTION_ABSENT: 'warning',
  EXECUTION_UNCONFIRMED: 'warning',
  JOURNAL_ABSENT: 'info',
  JOURNAL_FOREIGN: 'info',
  PACKET_TEXT_CHANGED: 'warning',
};

/** `file` is relative to docs/ops/executions/<plan_id>/, or to the workspace root when it is outside; '': all of it. */
export interface EvidenceFinding {
  readonly code: EvidenceFindingCode;
  readonly severity: 'error' | 'warning' | 'info';
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
  const { [code]: next } = evidenceSteps;
  return { code, severity: evidenceSeverities[code] ?? 'error', next, file, pointer, message };
}

export function withHint(finding: EvidenceFinding, hint: string | null): EvidenceFinding {
  return hint === null ? finding : { ...finding, hint };
}

/**
 * Adds why other bytes are harmless. The next step then is to bring the bytes back, not to find out who changed them.
 * What was committed already comes back file by file, because an older commit may lack other files of the folder.
 * @param place what git brings back, relative to the workspace root
 * @param kept another copy of the file, where the mission ran; null: it keeps no other
 */
export function withForm(
  finding: EvidenceFinding,
  hint: string | null,
  place: string,
  kept: string | null = null,
): EvidenceFinding {
  if (hint === null) return finding;
  if (hint === pointerHint) return { ...finding, hint, next: pullStep };
  if (hint === mergeHint) return { ...finding, hint, next: sideStep };
  return { ...finding, hint, next: isLineEndsHint(hint) ? lineEndsBack(kept) : formatBack(place, kept) };
}

/** What brings back a file of which git left a pointer or a merge. */
export const pullStep = 'Run `git lfs pull`, then verify again.';
export const sideStep =
  'Bring the file of one side back with `git restore --source=COMMIT -- FILE`, then verify again.';

function formatBack(place: string, kept: string | null): string {
  return `Where \`git diff -- ${place}\` shows nothing but format, bring the bytes back with \`git restore -- ${place}\`. Where it shows nothing, look for the COMMIT before the format with \`git log -p -- FILE\`. Then \`git restore --source=COMMIT -- FILE\` brings its bytes back. Where the log shows no such commit, git has no copy. ${kept === null ? 'Look for one in a backup.' : keptAt(kept)}`;
}

/** `git diff` shows no line ends that git converts, and `git restore` writes no file that its index calls unchanged. */
function lineEndsBack(kept: string | null): string {
  return `First add the lines to .gitattributes. Where \`git log -p -- FILE\` shows a commit, delete FILE, because git writes no file that seems unchanged. Then \`git restore -- FILE\` brings its bytes back. Where a commit changed line ends, \`git restore --source=COMMIT -- FILE\` takes the COMMIT before it. Where the log shows none, git has no copy. ${kept === null ? 'A file that the runner wrote has LF without a byte-order mark: save it so.' : keptAt(kept)}`;
}

function keptAt(kept: string): string {
  return `Where the mission ran, \`${kept}\` has the bytes.`;
}

/** Digests are compared without regard to case. */
export function sameDigest(a: string, b: string): boolean {
  return a.toUpperCase() === b.toUpperCase();
}
