import type { Recovery, Run } from './fields/execution';
import type { Limits } from './fields/limits';
import type { Header } from './fields/planFields';
import type { Reach } from './fields/reach';
import type { MilestoneValidator, WrittenTask } from './fields/task';

/** A validated plan with its defaults. Paths: POSIX, relative to the workspace root, no trailing slash. */
export interface ApprovedPlan extends Header, Run, Recovery, Reach, Limits {
  /** With the units that validate milestones. */
  readonly tasks: readonly PlannedTask[];
  /** Approved and scratch paths that the plan writes as folders, with a slash at the end. */
  readonly folders: readonly string[];
}

export interface PlannedTask extends WrittenTask {
  /** Absent: it belongs to none. */
  readonly milestone?: string;
  /** Tasks that have to have ended, also by a person who skipped them. Absent: none. */
  readonly after?: readonly string[];
  /** Set for the unit that validates its milestone; absent: a task of the plan. */
  readonly validator?: MilestoneValidator;
  /** The unit that validates the milestone before a task that is carried over. Absent: none, or the task is to be done. */
  readonly behind?: readonly string[];
}

/** The evidence of a task that an earlier mission did. */
export type CarriedFrom = NonNullable<PlannedTask['carried_from']>;
