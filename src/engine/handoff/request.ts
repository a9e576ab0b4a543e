import type { Actor } from '../../contracts/vocabulary/actors';
import type { WorkerName } from '../../contracts/vocabulary/workers';

export interface ResumeRequest {
  /** Absolute path of the handoff folder. */
  readonly folder: string;
  readonly actor: Actor;
  /** Null when nobody said why: then only a run that was given away goes on. */
  readonly reason: string | null;
  /** Whether outputs that are missing are taken from the diff of the handoff. */
  readonly apply_diff: boolean;
  /** Only what a person approved here goes on. Default: what the file says is enough. */
  readonly require_approval_record?: boolean;
  /** How long an approval counts from risk level 2 on; default 24. */
  readonly approval_hours?: number;
  readonly default_worker: WorkerName;
}
