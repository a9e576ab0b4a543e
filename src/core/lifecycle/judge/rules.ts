import type { DriverOutcome } from '../../../contracts/vocabulary/execution';
import type { Attempt } from '../../model/attempt';
import type { AttemptFailure, FailedRule, LaunchEnd } from '../../model/facts';
import type { Mission, TaskRow } from '../../model/state';
import type { PlannedTask } from '../../plan/approvedPlan';
import type { ContractCode, ShownCode, StructuralCode } from '../../../contracts/vocabulary/codes/codes';
import { blockCode } from '../../packets/blockCode';

/** What a rule judges: facts that the runner has, and nothing else. */
export interface Judged {
  readonly mission: Mission;
  readonly attempt: Attempt;
  readonly row: TaskRow;
  readonly task: PlannedTask;
  /** The end of the process that ended last: of the worker, or of a verify command; null before. */
  readonly end: LaunchEnd | null;
}

export function judgedFacts(mission: Mission, attempt: Attempt, row: TaskRow): Judged {
  return { mission, attempt, row, task: row.task, end: null };
}

/** A named pure function of a table: a check of the driver, or a part of a step of verification. */
export interface Rule extends FailedRule {
  /** Absent: it applies to every task. */
  readonly applies?: (facts: Judged) => boolean;
  /** The failure with its outcome; null: passed. */
  readonly judge: (facts: Judged) => AttemptFailure | null;
}

/** Fail-fast: the first failure in the order of the table, with the name of its rule. */
export function firstFailure(rules: readonly Rule[], facts: Judged): AttemptFailure | null {
  for (const rule of rules) {
    const failure = judgeRule(rule, facts);
    if (failure) return failure;
  }
  return null;
}

export function judgeRule(rule: Rule, facts: Judged): AttemptFailure | null {
  if (!applies(rule, facts)) return null;
  const failure = rule.judge(facts);
  return failure && { ...failure, by: { at: rule.at, name: rule.name } };
}

export function applies(rule: Rule, facts: Judged): boolean {
  return rule.applies?.(facts) ?? true;
}

export function outcomeOf(failure: AttemptFailure | null): DriverOutcome {
  if (!failure) return 'PASS';
  return failure.kind === 'recoverable' ? (failure.outcome ?? 'HALT') : 'HALT';
}

/** The code of a failure: a validator's, or the one of its kind; null when another lane's failure ended the attempt. */
export function failureCode(failure: AttemptFailure): ContractCode | StructuralCode | ShownCode | null {
  switch (failure.kind) {
    case 'structural':
      return failure.code;
    case 'abandoned':
      return null;
    case 'recoverable':
      return blockCode(failure.category, failure.code);
  }
}
