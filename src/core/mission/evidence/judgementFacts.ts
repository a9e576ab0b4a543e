import { notMachineChecked } from '../../../contracts/vocabulary/execution';
import type { AttemptEvidence } from '../../../contracts/taskEvidence';
import type { AttemptRecord } from '../../model/attempt';
import type { StepResult } from '../../model/facts';

/**
 * The steps and checks of an attempt as its phases recorded them. Where an intervention repeated the verification, the
 * later one counts.
 *
 * @param asksModel false: what only concerns models is not named
 */
export function judgementFacts(
  { phases }: Pick<AttemptRecord, 'phases'>,
  asksModel: boolean,
): { readonly verification?: readonly StepResult[]; readonly checks?: NonNullable<AttemptEvidence['checks']> } {
  const steps = phases.findLast((phase) => phase.steps)?.steps;
  const results = [...new Map(phases.flatMap(({ checks }) => (checks ? [[checks.point, checks]] : []))).values()];
  if (!steps && results.length === 0) return {};
  const checks = results.flatMap(({ point, passed, failed }) => [
    ...passed.map((name) => ({ point, name, outcome: 'PASS' as const })),
    ...(failed ? [{ point, ...failed }] : []),
    ...(asksModel ? notMachineChecked : [])
      .filter((one) => one.point === point)
      .map((one) => ({ ...one, outcome: 'not_machine_checked' as const })),
  ]);
  return {
    ...(steps && { verification: steps }),
    ...(checks.length > 0 && { checks }),
  };
}
