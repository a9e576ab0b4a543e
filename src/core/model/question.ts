import type { Actor } from '../../contracts/vocabulary/actors';
import type { HumanDecision } from '../observation/outstanding';

/** What a blocked task asks a person. What a worker asks is its text, and only shown. */
export interface Question {
  readonly text: string;
  /** Empty: the answer is in words. */
  readonly choices: readonly Choice[];
  readonly asked_by: Actor;
  /** An assertion of a milestone that a person answers; absent: something else is asked. */
  readonly about?: AskedAssertion;
}

export interface Choice {
  readonly id: string;
  readonly text: string;
  /** What it makes of the block; absent: another attempt, which is given the answer. */
  readonly outcome?: 'rerun-validation';
}

/** A person's answer; it holds for every later attempt of the task. */
export interface Answer {
  readonly question: string;
  readonly asked_by: Actor;
  /** Null: in words. */
  readonly choice: string | null;
  /** The text of the choice, or the person's own words. */
  readonly text: string;
  readonly decision: HumanDecision;
  /** Set for an assertion: the answer is one of its choices, and why is the reason of the decision. */
  readonly about?: AskedAssertion;
}

export interface AskedAssertion {
  readonly assertion: string;
  /** The files that the person was asked about; see `Acceptance`. */
  readonly tree_sha256: string;
}
