import type { Outcome } from '../../base/outcome';
import type { RawChange } from '../../core/observation/change';
import type { PathStanding, StandingQuery } from '../../core/observation/standing';

/** Baselines of the workspace, and what is different from one. */
export interface Workspace {
  /** Kept apart from the workspace and its run directories, under the digest that it answers. */
  baseline(request: ManifestRequest): Promise<Outcome<BaselineFacts>>;
  /** From any baseline of the mission. The observation goes to `observed.json` of the run directory. */
  difference(request: DifferenceRequest): Promise<Outcome<DifferenceFacts>>;
  /** What is at these paths now: read anew, in the words of a difference. Answers come in the order of the questions. */
  standing(paths: readonly StandingQuery[]): Promise<Outcome<readonly PathStanding[]>>;
  /**
   * Of the paths (POSIX, relative to the root) and the folders above them, those that are symbolic links: where each
   * leads, relative to the root; null when outside or nowhere.
   */
  links(paths: readonly string[]): Promise<Readonly<Record<string, string | null>>>;
  /** HEAD commit, or null when there is no repository or no commit. */
  head(): Promise<string | null>;
}

export interface ManifestRequest {
  readonly mission_id: string;
  readonly forbidden_paths: readonly string[];
  /** Approved paths of the task: compared even inside dependency and build folders. The same in baseline and difference. */
  readonly paths?: readonly string[];
}

export interface DifferenceRequest extends ManifestRequest {
  /** The recorded `manifest_sha256`; a baseline that is not found as it was recorded is refused. */
  readonly baseline_sha256: string;
  /** Absolute. */
  readonly run_dir: string;
  /** Nothing is written: a look in the middle of an attempt is no observation. */
  readonly only_look?: true;
}

export interface BaselineFacts {
  readonly manifest_sha256: string;
  readonly files: number;
  readonly head: string | null;
  readonly git: boolean;
}

export interface DifferenceFacts {
  readonly changes: readonly RawChange[];
  /** Upper-case SHA-256 of observed.json. */
  readonly observed_sha256: string;
  readonly head: string | null;
  /** What was not looked at, in words, for the evidence. */
  readonly not_observed: readonly string[];
}
