import type { ExecutionHeader } from '../../contracts/record/header';
import type { MilestoneEvidence } from '../../contracts/milestoneEvidence';
import type { TaskEvidence } from '../../contracts/taskEvidence';
import {
  evidenceFinding,
  sameDigest,
  withForm,
  type EvidenceFinding,
  type EvidenceFindingCode,
} from '../../contracts/vocabulary/codes/evidenceFindings';
import { evidenceDir } from '../evidence/places';
import type { MissionEvent } from '../model/events';
import type { JournalEntry } from '../model/journalEntry';

export interface EvidenceFacts {
  readonly header: ExecutionHeader;
  readonly header_sha256: string;
  /** False: an original header without digests, from another tool. */
  readonly sealed: boolean;
  /** The approved bytes: parsed (undefined when they are not JSON), and their digests. */
  readonly lockedPlan: {
    readonly value: unknown;
    readonly sha256: string;
    /** Equal for every formatting of the same content; null without a value. */
    readonly canonical_sha256: string | null;
  } | null;
  readonly summary_sha256: string | null;
  readonly tasks: ReadonlyMap<string, { readonly evidence: TaskEvidence | null; readonly sha256: string }>;
  /** By id; absent: the plan has none. */
  readonly milestones?: ReadonlyMap<string, { readonly evidence: MilestoneEvidence | null; readonly sha256: string }>;
  /** A sentence when only line ends or the format explain that the file has another digest, else null. */
  readonly hintFor: (file: string, digest: string) => string | null;
}

export interface JournalFacts {
  readonly entries: readonly JournalEntry<MissionEvent>[];
  readonly chain: { readonly valid: boolean; readonly first_bad: number | null };
  /** It has no seal of this user, so it confirms nothing. */
  readonly foreign?: boolean;
}

export function collected(
  code: EvidenceFindingCode,
  file: string,
): {
  readonly findings: EvidenceFinding[];
  readonly report: (message: string, pointer?: string) => void;
} {
  const findings: EvidenceFinding[] = [];
  return { findings, report: (message, pointer) => findings.push(evidenceFinding(code, file, message, pointer)) };
}

/** The finding about a file, with what explains it harmlessly; none where the file has the recorded digest. */
export function otherDigest(
  { header, hintFor }: EvidenceFacts,
  finding: EvidenceFinding,
  digest: string,
  recorded: string,
): readonly EvidenceFinding[] {
  if (sameDigest(digest, recorded)) return [];
  return [withForm(finding, hintFor(finding.file, recorded), evidenceDir(header.plan_id))];
}

export function changedSince(
  facts: EvidenceFacts,
  file: string,
  digest: string,
  recorded: string,
): readonly EvidenceFinding[] {
  const message = 'The file was changed after it was written: its digest is not the one in the header.';
  return otherDigest(facts, evidenceFinding('TASK_DIGEST_MISMATCH', file, message), digest, recorded);
}
