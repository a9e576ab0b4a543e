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

/** An acceptance is stored, never derived. It is read before use: `asked`, then `held` until a command or new owner. */
export interface Acceptance extends Accepted {
  readonly at: string;
  readonly check: 'none' | 'asked' | 'held';
  /** How often the files were read for it. */
  readonly checks: number;
}
