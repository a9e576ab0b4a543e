import type { SubagentResult } from '../../../contracts/result';
import type { AttemptFailure } from '../../model/facts';
import type { PlannedTask } from '../../plan/approvedPlan';
import { criterionKey } from '../../freshContext/criterion';
import { fewNamed } from '../../../base/text/firstNamed';
import { recoverable } from '../parts/recoverable';
import { workOf } from '../changes/taskChanges';
import type { Judged } from './rules';

/**
 * A result of the right form that leaves out what it has to say: a person can complete it (phase 7). That evidence is
 * empty, or that no criterion is reported at all, is no omission but ACCEPTANCE_FAILED.
 */
export function judgeSections({ task, attempt }: Judged): AttemptFailure | null {
  const { claim } = attempt;
  if (claim.kind !== 'valid') return null;
  const made = workOf(attempt, Boolean(attempt.intervention));
  const missing = [
    ...(claim.result.changes.length === 0 && made.length > 0
      ? [`changes: names none, and ${fewNamed(made.map(({ path }) => path))} changed`]
      : []),
    ...leftOut(task, claim.result),
  ];
  if (missing.length === 0) return null;
  return {
    ...recoverable('invalid_handoff', 'The result packet is incomplete.', missing),
    outcome: 'INTERVENTION_REQUIRED',
  };
}

/** Returns what the packet leaves out whatever became of the files. */
export function leftOut(
  task: PlannedTask,
  { changes, acceptance_check }: Pick<SubagentResult, 'changes' | 'acceptance_check'>,
): readonly string[] {
  const reported = new Set(acceptance_check.map(({ criterion }) => criterionKey(criterion)));
  const unreported = task.acceptance_criteria.filter((criterion) => !reported.has(criterionKey(criterion)));
  return [
    ...(acceptance_check.length > 0 ? unreported : []).map(
      (criterion) => `acceptance_check: not reported: ${criterion}`,
    ),
    ...changes.flatMap(({ resource, evidence }, index) =>
      isPlaceholder(evidence) ? [`changes/${index}/evidence: a placeholder, of ${resource}`] : [],
    ),
    ...acceptance_check.flatMap(({ criterion, evidence }, index) =>
      isPlaceholder(evidence) ? [`acceptance_check/${index}/evidence: a placeholder, of ${criterion}`] : [],
    ),
  ];
}

/**
 * Returns whether a text is nothing but a placeholder. Text after a mark makes it one only where the mark is written as
 * marks are: `TODO: run it`, and not `Todo: the list renders`. Source: seed 004, "no placeholders".
 */
export function isPlaceholder(text: string | null | undefined): boolean {
  const whole = (text ?? '').trim();
  return /^(?:TODO|FIXME|todo|fixme):/.test(whole) || forms.test(whole);
}

const forms = /^(?:\.{3}|…|todo|fixme|tbd|tba|xxx+|lorem ipsum.*|placeholder|<[a-z _-]{1,60}>)[.!]?$/i;
