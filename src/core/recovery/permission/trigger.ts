import type { PermissionAction, PermissionIssue } from '../../../contracts/vocabulary/permission';
import type { AgentName } from '../../../contracts/vocabulary/workers';

/**
 * Where a CLI says it. `event`: a structured denial; `stderr`: a line of its own there; `error`: the error that ended
 * its run. What the model says, what files hold and what commands print is no channel: the parsers make no such
 * signal of it.
 */
export type TriggerChannel = 'event' | 'stderr' | 'error';

/** One row of the trigger table. */
export interface Trigger {
  readonly agent: AgentName;
  /** Versions of the CLI that say it: from this one on, and before that one. Absent: no bound is known. */
  readonly from?: string;
  readonly before?: string;
  readonly channels: readonly TriggerChannel[];
  /** A group `path` is the offending path, where the signal does not name it. */
  readonly pattern: RegExp;
  readonly issue: PermissionIssue;
  readonly action: PermissionAction;
}
