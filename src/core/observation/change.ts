/** A difference between two manifests, before its attribution. */
export interface RawChange {
  /** POSIX path relative to the workspace root; for git facts `.git/<part>`. */
  readonly path: string;
  readonly kind: 'added' | 'modified' | 'deleted' | 'type_changed' | 'mode_changed' | 'index_flag' | 'git';
  /** Upper-case SHA-256 of the content before and after; null unless it is a regular file. */
  readonly before_sha256: string | null;
  readonly after_sha256: string | null;
  /**
   * The mode of a regular file, as git would store it, with setuid and setgid. Absent: in older records, and for other
   * kinds.
   */
  readonly after_mode?: string;
  /** Git tracks the path. Set for names that an editor leaves, because only these are judged by it. */
  readonly tracked?: true;
  /** The text of a link. Absent: in older records, and for other kinds. */
  readonly after_link?: string;
  /** Where a symlink leads: POSIX relative path, or absolute when outside the workspace. */
  readonly resolved_path: string | null;
  /** Where a fact of git lies on the disk, POSIX, relative to the workspace, absolute outside it. Absent: unknown. */
  readonly lies_at?: readonly string[];
  /** Last change time of the file (deleted: of its folder), ISO-8601 with milliseconds; null when unknown. */
  readonly changed_at: string | null;
  readonly detail: string | null;
}

/** A file saved in this editor while an attempt was running. */
export interface ExternalSave {
  readonly path: string;
  readonly sha256: string;
  readonly at: string;
}

/** `verify`: a verify command of the task, after the worker had been judged. */
export type Attribution = 'worker' | 'external_change' | 'unattributed' | 'verify';

export interface Change extends RawChange {
  readonly attribution: Attribution;
  readonly in_scope: boolean;
  /** Why the change is a violation; null when it is allowed. */
  readonly violation: string | null;
  /** Why it is out of scope, where nothing but its time gives it to the worker: it blocks. Completes "<path> ...". */
  readonly doubt?: string;
  /** In a scratch path of the plan: neither work nor a violation. */
  readonly scratch?: true;
  /** The sandbox kept every process of the task from there, so others made the change. */
  readonly by_others?: true;
  /** Why a change of others still blocks; absent: it does not. Completes "<path> ...". */
  readonly relied_on?: string;
}
