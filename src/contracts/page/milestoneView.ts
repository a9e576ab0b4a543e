import type { ReportStatus } from '../vocabulary/milestones';
import type { MilestoneMode } from '../vocabulary/plan';

/** A milestone of the plan, as it stands. Texts are plain text and may hold anything a validator or a plan wrote. */
export interface MilestoneView {
  readonly id: string;
  readonly title: string;
  /** The unit that validates it, a row of `tasks`; null: the plan asks for no validation. */
  readonly validator: string | null;
  /** Who judges it; null: nothing does. */
  readonly mode: MilestoneMode | null;
  readonly state: MilestoneState;
  /** What that means: what happened, why, and what follows. */
  readonly sentence: string;
  /** For which files it was accepted; null: it is not accepted now. */
  readonly accepted: {
    readonly attempt: number;
    readonly at: string;
    readonly tree_sha256: string;
    readonly head: string | null;
  } | null;
  readonly failures: number;
  /** After this many failed validations the milestone cannot be validated again; null: nothing validates it. */
  readonly limit: number | null;
  /** Tasks of the plan that belong to it. */
  readonly tasks: readonly string[];
  /** How many of them have ended: done, or skipped by a person. */
  readonly ended: number;
  /** How many verify commands judge it. */
  readonly commands: number;
  readonly assertions: readonly AssertionView[];
}

/**
 * - `pending`: nothing of it has started.
 * - `running`: its tasks or its validation are under way, or start next.
 * - `waiting`: one of them is blocked, so a person is needed.
 * - `accepted`: its last validation passed, and that is stored with the content that it holds for.
 * - `reopened`: it was accepted for other content, and is validated again.
 * - `failed`: one of its tasks, or its validation, failed for good.
 * - `skipped`: a person skipped its validation, so it is not accepted.
 * - `canceled`: the mission ended before.
 * - `reached`: its tasks have ended, and the plan asks for no validation.
 */
export type MilestoneState =
  | 'pending'
  | 'running'
  | 'waiting'
  | 'accepted'
  | 'reopened'
  | 'failed'
  | 'skipped'
  | 'canceled'
  | 'reached';

/** An assertion, and what its last validation found. */
export interface AssertionView {
  readonly id: string;
  readonly text: string;
  /** Null: it has no answer for the content as it is. */
  readonly status: ReportStatus | null;
  readonly evidence: string;
  /** The person who answered it; null: an agent answered it, or it has no answer. */
  readonly answered_by: string | null;
}
