import type { Outcome } from '../../base/outcome';
import type { WorkerName } from '../../contracts/vocabulary/workers';
import type { DocumentEdit } from '../../core/plan/approve';
import type { Finding } from '../../core/documents/finding';

/** Reads a plan once: the bytes that are hashed are the bytes that are parsed. */
export interface PlanFiles {
  /** Never throws: an unreadable file is a finding. `path` is absolute. */
  read(path: string): Promise<PlanText>;
  /** The same for bytes, or for the text of an editor. Never throws. */
  parse(content: Uint8Array | string): PlanText;
  /** The whole of `checkPlan` beside this thread, where there is one; null: it is to be done here after all. */
  judged?(path: string, options: PlanCheckOptions): Promise<JudgedText | null>;
  /** ISO-8601: approvals are compared with it. */
  now?(): string;
  /** JSON Schema findings of a parsed value, with pointers (positions are added by `locate`). */
  checkShape(value: unknown): readonly Finding[];
  /** Sets values and keeps every other byte. Only for bytes that were read without error findings about their text. */
  edit(bytes: Uint8Array, edits: readonly DocumentEdit[]): Uint8Array;
  /** Replaces the file atomically if its SHA-256 is still `expectedSha256`; null: creates it, it must not exist. */
  write(path: string, content: Uint8Array | string, expectedSha256: string | null): Promise<Outcome<null>>;
}

export interface PlanCheckOptions {
  /** Who performs tasks that name no worker. Default: `defaultAgent`. */
  readonly defaultWorker?: WorkerName;
  /** Absolute root of the workspace the plan belongs to; judged by the end of its path when absent. */
  readonly workspaceDir?: string;
}

/** What was read of a plan, and everything that is to be said about it, with positions and in document order. */
export interface JudgedText {
  readonly text: PlanText;
  readonly findings: readonly Finding[];
}

export interface PlanText {
  /** Upper-case SHA-256 of the raw bytes; null when the file could not be read. */
  readonly sha256: string | null;
  /** SHA-256 over canonical JSON content: explains a mismatch, never overrides it. Computed when asked for. */
  readonly canonical_sha256: string | null;
  readonly bytes: Uint8Array | null;
  /** SHA-256 of the bytes with other line ends or byte-order mark: explain a mismatch. Computed when asked for. */
  readonly other_forms?: readonly string[];
  /** Undefined when there is no value to judge; defined beside errors such as duplicate keys (the last one counts). */
  readonly value: unknown;
  readonly findings: readonly Finding[];
  /** Adds line, column, offset and length to findings by their pointer. */
  locate(findings: readonly Finding[]): readonly Finding[];
}
