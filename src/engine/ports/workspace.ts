import type { Outcome } from '../../base/outcome';
import type { HeldState, TreeLayer } from '../../contracts/launch';
import type { Undone } from '../../contracts/taskEvidence';
import type { UndoPlan } from '../../core/lifecycle/changes/undoPlan';
import type { RawChange } from '../../core/observation/change';
import type { PathStanding, StandingQuery } from '../../core/observation/pathState';
import type { MakerSign } from '../../core/observation/likelyMakers';

export interface Workspace {
  /** Takes a baseline, kept outside the workspace under the returned digest. */
  baseline(request: ManifestRequest): Promise<Outcome<BaselineFacts>>;
  /** The difference from any baseline of the mission; also written to `observed.json` of the run directory. */
  difference(request: DifferenceRequest): Promise<Outcome<DifferenceFacts>>;
  /** Reads again what lies at these paths; answers in the order of the queries. */
  standing(paths: readonly StandingQuery[]): Promise<Outcome<readonly PathStanding[]>>;
  /**
   * Finds the symbolic links among the paths (POSIX, relative to the root) and the folders above
   * them. Returns where each leads, relative to the root; null when outside it or nowhere.
   */
  links(paths: readonly string[]): Promise<Readonly<Record<string, string | null>>>;
  /** One digest of the workspace's content, the same on every machine, because files that git ignores do not count. */
  tree(request: ManifestRequest): Promise<Outcome<TreeFacts>>;
  /** Puts files back that are still as an attempt left them, and keeps what lay there. */
  undo(request: UndoRequest): Promise<Outcome<UndoFacts>>;
  /** Puts what waits in the layer of an ended launch into the workspace: all of it, or nothing. Goes on after a kill. */
  land(request: LandRequest): Promise<Outcome<LandFacts>>;
  /** HEAD commit, or null without a repository or commit. */
  head(): Promise<string | null>;
}

export interface LandRequest {
  readonly layer: TreeLayer;
  /** Absolute path, of the launch. */
  readonly run_dir: string;
  /** What was observed of it and judged: nothing else lands. Absent: only says whether the layer is gone. */
  readonly judged?: Pick<DifferenceRequest, 'mission_id' | 'baseline_sha256'> & {
    readonly changes: readonly LeftChange[];
    /** What other tasks put into the workspace meanwhile: the layer takes it in, and nothing lands. Absent: it lands. */
    readonly merges?: readonly LeftChange[];
  };
}

type LeftChange = Pick<RawChange, 'path' | 'kind' | 'after_sha256' | 'after_mode' | 'after_link'>;

export interface LandFacts {
  /** Something else changed these meanwhile, so the work still waits. Empty: it is in the workspace. */
  readonly changed: readonly string[];
  /** Those of `merges` that have no clean merge. Absent: none. */
  readonly conflicts?: readonly string[];
  /** The layer took in all of `merges`, in their order: what each had put there. Absent: it took in nothing. */
  readonly merged?: readonly HeldState[];
  /** The layer is not there, so nothing of the work was put into the workspace. */
  readonly gone?: true;
}

export type UndoRequest = UndoPlan['request'] & {
  readonly mission_id: string;
  /** Paths of steps that stay as they are. */
  readonly leaves: readonly string[];
  /** Writes nothing: `paths` are those that can be put back now. */
  readonly only_look?: true;
};

/** `paths`: as the steps want them. Every other step is in `left`; `why` completes "<path> ...". */
export interface UndoFacts extends Pick<Undone, 'paths' | 'left'> {
  /** Those of `paths` that only the owner may read then, because their mode is unknown. */
  readonly narrowed: readonly string[];
  /** Folders that are made again, for the owner alone, because their mode is unknown. */
  readonly folders: readonly string[];
}

export interface TreeFacts {
  readonly tree_sha256: string;
  readonly head: string | null;
}

export interface ManifestRequest {
  readonly mission_id: string;
  readonly forbidden_paths: readonly string[];
  /** Approved paths and folders made for the task, compared also in left-out folders; the same for both looks. */
  readonly paths?: readonly string[];
  /** Below these, what git does not hold is copied with the baseline, so that the difference can be shown later. */
  readonly keep?: readonly string[];
}

export interface DifferenceRequest extends ManifestRequest {
  /** The recorded `manifest_sha256`; refused when no baseline has it. */
  readonly baseline_sha256: string;
  /** Absolute path. */
  readonly run_dir: string;
  /** What waits in this layer counts as well, marked `layered`. */
  readonly layer?: TreeLayer;
  /** Writes nothing: a look during an attempt is no observation. */
  readonly only_look?: true;
}

export interface BaselineFacts {
  readonly manifest_sha256: string;
  readonly files: number;
  readonly head: string | null;
  readonly git: boolean;
  /**
   * Milliseconds that the clock of the file system is ahead of this machine's; negative: behind; absent: nothing that
   * counts. Times of changes are in this machine's clock.
   */
  readonly clock_ahead_ms?: number;
}

export interface DifferenceFacts {
  readonly changes: readonly RawChange[];
  /** Upper-case SHA-256 of observed.json. */
  readonly observed_sha256: string;
  readonly head: string | null;
  /** Sentences for the evidence about what was not compared. */
  readonly not_observed: readonly string[];
}

/** Signs of who may have made changes: other worktrees, editors, processes. */
export interface Makers {
  /** Never throws. Finds no signs where this machine shows none, and looks for a bounded time only. */
  signsOf(changes: readonly Pick<RawChange, 'path' | 'kind'>[]): Promise<readonly MakerSign[]>;
}
