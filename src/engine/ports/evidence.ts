import type { ExistingEvidence } from '../../core/mission/start';
import type { EvidenceFinding } from '../../contracts/vocabulary/codes/evidenceFindings';
import type { EvidenceFacts } from '../../core/verify/facts';
import type { MovedObstacle } from '../../core/model/facts';
import type { Outcome } from '../../base/outcome';
import type { MarkdownText } from '../../base/text/marked/markdown';

/**
 * Evidence and mission files: all below `docs/ops/executions/` and `.mission-control/missions/`. Writes are atomic and
 * return the digest of what is on disk. Text is redacted; bytes (the locked plan) are written as given. A path that
 * leaves these folders or meets a symbolic link is refused with EVIDENCE_FOREIGN.
 */
export interface EvidenceFiles {
  /** Returns what an earlier execution of this plan id left. */
  existing(planId: string): Promise<ExistingEvidence>;
  /** Names of all executions' folders, as spelled. */
  executions(): Promise<Outcome<readonly string[]>>;
  /** Moves earlier evidence to `archive/<mission_id>/`, the header last; completes what a crash interrupted. */
  archive(planId: string, missionId: string): Promise<Outcome<null>>;
  /** Moves an obstacle at a file's place into the mission's folder, and returns what it moved. */
  clear(path: string, missionId: string): Promise<Outcome<readonly MovedObstacle[]>>;
  /** `path` is POSIX, relative to the workspace root. A header is sealed (`header_sha256`). */
  write(path: string, content: string | Uint8Array): Promise<Outcome<WrittenFile>>;
  /** Writes Markdown, in which only our own text is markup. */
  writeMarkdown(path: string, text: MarkdownText): Promise<Outcome<WrittenFile>>;
  /** Says whether there is a regular file. */
  exists(path: string): Promise<boolean>;
  /** Null when there is no such file. */
  read(path: string): Promise<Outcome<ReadFile | null>>;
}

export interface ReadFile {
  readonly text: string;
  /** Upper-case hex, of the bytes on disk. */
  readonly sha256: string;
  /** Whether a header's seal holds; null without a seal. */
  readonly sealed: boolean | null;
  /** Why other bytes are the same content, as proven; null: unexplained. Without a digest, a header's seal counts. */
  readonly explained?: (digest: string | null) => string | null;
}

export interface WrittenFile {
  readonly path: string;
  readonly sha256: string;
  readonly redactions: number;
}

/** Reads the evidence of one plan. Never rejects: what cannot be read is a finding. */
export interface EvidenceReader {
  /** The last execution, or an archived one; `facts` is null without a usable header. */
  read(archived?: string): Promise<{
    readonly facts: EvidenceFacts | null;
    readonly findings: readonly EvidenceFinding[];
  }>;
  /** Mission ids of the archived executions. */
  archived(): Promise<{ readonly names: readonly string[]; readonly findings: readonly EvidenceFinding[] }>;
  /** Compares the plan file as it is now with the locked plan. */
  planNow(facts: EvidenceFacts): Promise<readonly EvidenceFinding[]>;
  /** Says whether git ignores the evidence, so that no commit keeps it. */
  ignoredNow(): Promise<readonly EvidenceFinding[]>;
  /** Compares the kept snapshots of the tasks' contexts with the recorded digests. */
  contextsNow(facts: EvidenceFacts): Promise<readonly EvidenceFinding[]>;
  /** Compares the decisions that tasks saved with the memory. */
  memoryNow(facts: EvidenceFacts): Promise<readonly EvidenceFinding[]>;
  /** Compares the evidence that tasks were carried over from with the recorded digests. */
  carriedNow(facts: EvidenceFacts): Promise<readonly EvidenceFinding[]>;
  /** Compares the changed files as they are now with how the tasks left them. */
  outputsNow(facts: EvidenceFacts): Promise<readonly EvidenceFinding[]>;
}
