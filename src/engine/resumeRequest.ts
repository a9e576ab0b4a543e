import type { Actor } from '../contracts/vocabulary/actors';
import type { WorkerName } from '../contracts/vocabulary/workers';

export interface ResumeRequest {
  /** Absolute path of the handoff folder. */
  readonly folder: string;
  readonly actor: Actor;
  /** Null when nobody said why: then only a run that was given away goes on. */
  readonly reason: string | null;
  /** Whether outputs that are missing are taken from the diff of the handoff. */
  readonly apply_diff: boolean;
  /** Whether a person approved exactly these bytes here (upper-case SHA-256). Absent: what the file says is enough. */
  readonly is_approved?: (planSha256: string) => Promise<boolean>;
  readonly default_worker: WorkerName;
}
