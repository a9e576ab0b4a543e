import type { TreeLayer } from '../../contracts/launch';
import type { Outcome } from '../../base/outcome';
import type { DifferenceFacts, DifferenceRequest, UndoFacts, UndoRequest } from './workspace';

/** Files before a mission's tasks and now; people read them, no verdict uses them. */
export interface Contents {
  /** In the order of the questions. Returns no bytes with another digest than the asked one. */
  before(missionId: string, files: readonly BeforeQuery[]): Promise<readonly FileContent[]>;
  /** In the order of the questions. No link is followed. */
  now(asked: readonly NowQuery[]): Promise<readonly FileContent[]>;
  /** Lines that were added and removed, from the same contents; null: unknown. */
  lines(missionId: string, files: readonly LinesQuery[]): Promise<readonly (LineCount | null)[]>;
  /** Does the same as `Workspace.undo`, but writes nothing. */
  undo(request: Omit<UndoRequest, 'only_look'>): Promise<Outcome<UndoFacts>>;
  /** Does the same as `Workspace.difference`, but writes nothing. */
  difference(request: Omit<DifferenceRequest, 'run_dir' | 'only_look'>): Promise<Outcome<DifferenceFacts>>;
}

export interface BeforeQuery {
  readonly path: string;
  /** Digest of the baseline. */
  readonly sha256: string;
  /** Commits of HEAD and digests of the baselines that may have it. */
  readonly heads: readonly string[];
  readonly baselines: readonly string[];
  /** Its baseline kept copies below this path. */
  readonly kept: boolean;
}

export interface NowQuery {
  /** POSIX, relative to the workspace. */
  readonly path: string;
  /** Where it lies in place of the workspace. Absent: there. */
  readonly layer?: TreeLayer | undefined;
}

export interface LinesQuery {
  /** Null: there was no file. */
  readonly before: BeforeQuery | null;
  /** What the task left; null: nothing. Other bytes count as unknown. */
  readonly after: (NowQuery & { readonly sha256: string }) | null;
}

export interface LineCount {
  readonly added: number;
  readonly removed: number;
}

export type FileContent =
  | { readonly kind: 'text'; readonly text: string; readonly sha256: string }
  | { readonly kind: 'binary'; readonly size: number; readonly sha256: string }
  /** Too large, so its content was not read. */
  | { readonly kind: 'large'; readonly size: number }
  | { readonly kind: 'absent' }
  | { readonly kind: 'link'; readonly target: string }
  /** One sentence says why the content is unknown. */
  | { readonly kind: 'unknown'; readonly reason: string };
