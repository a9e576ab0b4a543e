import type { CriterionReport } from './facts';
import type { Mission } from './state';

/**
 * Reports every success criterion of the plan: computed where the runner can compute it, otherwise said
 * to be not machine-checked; never silently passed. Source: decisions.md section 2.
 */
export function successCriteria(mission: Mission): readonly CriterionReport[] {
  return mission.plan.success_criteria.map((criterion) => report(mission, criterion));
}

function report(mission: Mission, criterion: string): CriterionReport {
  switch (criterion) {
    case 'validator_passes':
      return {
        criterion,
        result: 'met',
        detail: 'The plan passed validation before it was locked; its hash was checked before every task.',
      };
    case 'no_scope_violation': {
      const violated = mission.rows.flatMap((row) =>
        row.attempts
          .filter((attempt) => attempt.failure?.kind === 'structural' && attempt.failure.code === 'SCOPE_VIOLATION')
          .map(() => row.task.task_id),
      );
      return violated.length === 0
        ? { criterion, result: 'met', detail: 'No change outside the approved paths was observed in any attempt.' }
        : { criterion, result: 'unmet', detail: `Scope violations in ${violated.join(', ')}.` };
    }
    case 'deterministic_execution': {
      const unordered = mission.rows.some((row) =>
        row.attempts.some((attempt) => attempt.attempt > 1 && !attempt.decided_by),
      );
      return unordered
        ? { criterion, result: 'unmet', detail: 'A task was attempted again without a recorded decision.' }
        : {
            criterion,
            result: 'met',
            detail: 'Every step follows from the journal; every repeated attempt names who decided it.',
          };
    }
    default:
      return {
        criterion,
        result: 'not_machine_checked',
        detail: 'This criterion is not known to the runner; a person has to check it.',
      };
  }
}
