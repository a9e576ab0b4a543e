/** The result `pass` of a validation, and for which files it holds. */
export interface Accepted {
  readonly attempt: number;
  /**
   * Digest of the content of the workspace: plans, evidence and what git ignores do not count. It alone decides,
   * because a commit of the same files changes nothing that was validated.
   */
  readonly tree_sha256: string;
  readonly head: string | null;
}

/**
 * That a milestone is accepted, stored: never derived from the status of its tasks. Before anything relies on it the
 * files are read again: `asked`, then `held`, which any command and any new owner ends.
 */
export interface Acceptance extends Accepted {
  readonly at: string;
  readonly check: 'none' | 'asked' | 'held';
  /** How often the files were read for it. */
  readonly checks: number;
}
