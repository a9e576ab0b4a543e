import type { DocumentName } from '../../contracts/schemas';
import type { DescribedDocument } from '../../core/freshContext/docs';
import type { Left } from '../../base/fileState';
import type { PatchedPath } from '../../core/handoff/diff';
import type { Finding } from '../../core/documents/finding';
import type { Outcome } from '../../base/outcome';
import type { MissionEvent } from '../../core/model/events';
import type { JournalEntry } from '../../core/model/journalEntry';

type Entries = readonly JournalEntry<MissionEvent>[];

export interface HandoffFiles {
  /** Documents of Fresh Context and their generated schemas, for contracts.md. */
  readonly documents: readonly DescribedDocument[];
  checkShape(name: DocumentName, value: unknown): readonly Finding[];
  /** Decoded text, to search for secrets. */
  textOf(bytes: Uint8Array): string;
  /** Upper-case SHA-256 of regular files, by POSIX path relative to the workspace root; null without a file. */
  digests(paths: readonly string[]): Promise<Readonly<Record<string, string | null>>>;
  /** Returns what lies at these paths, POSIX and relative to the workspace root; follows no link. Never rejects. */
  found(paths: readonly string[]): Promise<ReadonlyMap<string, Left>>;
  /** One patch of these files against a commit. Never throws. */
  patch(request: PatchRequest): Promise<Patch>;
  /** A regular file of at most 64 MB in this very handoff folder (absolute); null when absent. */
  read(folder: string, name: string): Promise<Outcome<HandoffFile | null>>;
  /** The entries as `mission journal export` prints them. */
  journalBytes(entries: Entries): Uint8Array;
  /** The entries of such a text, once its chain holds. Their events may be anything. Refused: it does not hold. */
  readJournal(bytes: Uint8Array): Outcome<Entries>;
  /** Deletes a folder's bundle and digests, so that its files can be written anew. */
  discard(folder: string): Promise<Outcome<null>>;
  /** Returns what a patch would leave, without changing the workspace; refused when git cannot apply it. */
  tryPatch(patch: Uint8Array, starts?: PatchStarts): Promise<Outcome<readonly PatchedPath[]>>;
  /** Applies a patch to the workspace, wholly or not at all. */
  apply(patch: Uint8Array, starts?: PatchStarts): Promise<Outcome<UndoPatch>>;
}
/** Upper-case SHA-256 of files as the run found them, by path. */
export type PatchStarts = ReadonlyMap<string, string>;

export type UndoPatch = () => Promise<Outcome<null>>;
export interface PatchRequest {
  readonly base_commit: string;
  readonly paths: readonly string[];
  /** Bytes before and after, of all files in the patch together. */
  readonly max_bytes: number;
}
export interface Patch {
  /** Null when no file is in it. */
  readonly bytes: Uint8Array | null;
  /** Paths that are in the patch, or unchanged since the commit. */
  readonly covered: readonly string[];
  readonly omitted: readonly { readonly path: string; readonly why: string }[];
}
export interface HandoffFile {
  readonly bytes: Uint8Array;
  /** Upper-case hex. */
  readonly sha256: string;
}
