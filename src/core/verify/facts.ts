import type { ExecutionHeader } from '../../contracts/record/header';
import type { MilestoneEvidence } from '../../contracts/milestoneEvidence';
import type { TaskEvidence } from '../../contracts/taskEvidence';
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

/** The mission's stored stream and whether its hash chain is valid. */
export interface JournalFacts {
  readonly entries: readonly JournalEntry<MissionEvent>[];
  readonly chain: { readonly valid: boolean; readonly first_bad: number | null };
  /** It has no seal of this user, so it confirms nothing. */
  readonly foreign?: boolean;
}
