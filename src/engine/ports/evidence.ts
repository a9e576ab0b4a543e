import type { EvidenceFinding } from '../../contracts/vocabulary/evidenceFindings';
import type { EvidenceFacts } from '../../core/verify/facts';
import type { MovedObstacle } from '../../core/model/facts';
import type { Outcome } from '../../base/outcome';
import type { MarkdownText } from '../../base/text/markdown';

/**
 * Evidence and mission files: everything below `docs/ops/executions/` and `.mission-control/missions/`. Every write is
 * atomic and answers with the digest of what is on disk; text is redacted on the way, bytes are written as they are
 * (the locked plan). A path that leaves those folders, or meets a symbolic link, is refused with EVIDENCE_FOREIGN.
 */
export interface EvidenceFiles {
  /** Facts about what an execution of this plan id left here earlier. */
  existing(planId: string): Promise<ExistingEvidence>;
  /** Names of the folders of all executions, as they are spelled. */
  executions(): Promise<Outcome<readonly string[]>>;
  /** Moves earlier evidence of the plan to `archive/<mission_id>/`, the header last; repeats what a crash left undone. */
  archive(planId: string, missionId: string): Promise<Outcome<null>>;
  /** Moves what stands in the way of a file into the folder of the mission, and says what; empty: nothing did. */
  clear(path: string, missionId: string): Promise<Outcome<readonly MovedObstacle[]>>;
  /** `path` is relative to the workspace root (POSIX). A header is sealed: its `header_sha256` is filled in. */
  write(path: string, content: string | Uint8Array): Promise<Outcome<WrittenFile>>;
  /** What people read: only text in which nothing of others is markup. */
  writeMarkdown(path: string, text: MarkdownText): Promise<Outcome<WrittenFile>>;
  /** Whether there is a regular file. */
  exists(path: string): Promise<boolean>;
  /** Null when there is no such file. */
  read(path: string): Promise<Outcome<ReadFile | null>>;
}

export interface ReadFile {
  readonly text: string;
  /** Upper-case hex, of the bytes on disk. */
  readonly sha256: string;
  /** Whether a header's seal holds; null where there is no seal. */
  readonly sealed: boolean | null;
  /** Whether the file has this digest (null: a header whose seal holds) with other line ends or byte-order mark. */
  readonly converted?: (digest: string | null) => boolean;
}

export type ExistingEvidence =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'present';
      readonly mission_id: string | null;
      readonly plan_sha256: string | null;
      readonly state: string | null;
      readonly readable: boolean;
    };

export interface WrittenFile {
  readonly path: string;
  readonly sha256: string;
  readonly redactions: number;
}

/** The evidence of one plan, read to be judged. Never rejects: what cannot be read is a finding. */
export interface EvidenceReader {
  /** Of the last execution, or of an archived one; the facts are null without a usable header. */
  read(archived?: string): Promise<{
    readonly facts: EvidenceFacts | null;
    readonly findings: readonly EvidenceFinding[];
  }>;
  /** Mission ids of the archived executions. */
  archived(): Promise<{ readonly names: readonly string[]; readonly findings: readonly EvidenceFinding[] }>;
  /** The plan file as it is now, against what was locked. */
  planNow(facts: EvidenceFacts): Promise<readonly EvidenceFinding[]>;
  /** The changed files as they are now, against how the tasks left them. */
  outputsNow(facts: EvidenceFacts): Promise<readonly EvidenceFinding[]>;
}
