import type { DocumentName } from '../../contracts/schemas';
import type { DescribedDocument } from '../../core/freshContext/docs';
import type { PatchedPath } from '../../core/handoff/diff';
import type { Finding } from '../../core/documents/finding';
import type { Outcome } from '../../base/outcome';

/** What handing a run over, and taking one over, needs from the world besides. */
export interface HandoffFiles {
  /** Documents of Fresh Context and their generated schemas: what contracts.md is made from. */
  readonly documents: readonly DescribedDocument[];
  checkShape(name: DocumentName, value: unknown): readonly Finding[];
  /** Text of bytes, for looking through it. */
  textOf(bytes: Uint8Array): string;
  /** Upper-case SHA-256 of regular files of the workspace; null where there is none. Paths are POSIX, relative to its root. */
  digests(paths: readonly string[]): Promise<Readonly<Record<string, string | null>>>;
  /** These files as they are now, as one patch against a commit. Never throws. */
  patch(request: PatchRequest): Promise<Patch>;
  /** One file of a handoff folder (absolute): a regular file in that very folder, not larger than 64 MB; null without one. */
  read(folder: string, name: string): Promise<Outcome<HandoffFile | null>>;
  /** Takes away what makes a folder a handoff, bundle and digests, so that its files can be written anew. */
  discard(folder: string): Promise<Outcome<null>>;
  /** What a patch would leave in the workspace, which stays as it is; refused when git cannot apply it. */
  tryPatch(patch: Uint8Array): Promise<Outcome<readonly PatchedPath[]>>;
  /** Applies a patch to the workspace, wholly or not at all. */
  apply(patch: Uint8Array): Promise<Outcome<UndoPatch>>;
}
/** Puts back what a patch has changed. */
export type UndoPatch = () => Promise<Outcome<null>>;
export interface PatchRequest {
  readonly base_commit: string;
  readonly paths: readonly string[];
  /** Bytes before and after together, of all files in the patch. */
  readonly max_bytes: number;
}
export interface Patch {
  /** Null when no file is in it. */
  readonly bytes: Uint8Array | null;
  /** Paths that are as in the commit, or in the patch. */
  readonly covered: readonly string[];
  /** Paths that are not, and why. */
  readonly omitted: readonly { readonly path: string; readonly why: string }[];
}
export interface HandoffFile {
  readonly bytes: Uint8Array;
  /** Upper-case hex. */
  readonly sha256: string;
}
