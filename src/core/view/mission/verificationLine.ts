import { verificationSteps, type DriverOutcome } from '../../../contracts/vocabulary/execution';
import type { AttemptRecord } from '../../model/attempt';

/**
 * Says in one line how far the verification of an attempt came. An example is
 * `stopped at step 4 of 7, scope and mutation`. Null before the verification.
 */
export function verificationLine(attempt: Pick<AttemptRecord, 'phases' | 'intervention'>): string | null {
  const { phases } = attempt;
  const how = (outcome: DriverOutcome): string => howIn(outcome, needsIntervention(attempt));
  const record = phases.findLast(({ phase, steps, checks }) => steps ?? (phase !== 10 && checks?.failed));
  if (!record) return null;
  const { steps = [], checks } = record;
  if (checks?.failed)
    return `${how(checks.failed.outcome)} the check "${checkName(checks.failed.name)}", ${checks.point.replaceAll('_', ' ')}`;
  const all = Object.keys(verificationSteps).length;
  const last = steps.at(-1);
  if (!last) return `none of ${all} steps`;
  if (last.outcome === 'PASS' || last.outcome === 'not_applicable') {
    const noted = steps.some(({ recorded = [] }) => recorded.length > 0) ? ', with claims that were not observed' : '';
    return last.step === all && record.outcome === 'PASS'
      ? `${all} of ${all} steps passed${noted}`
      : `${last.step} of ${all} steps passed, then it was ended${noted}`;
  }
  return `${how(last.outcome)} step ${last.step} of ${all}, ${last.name}`;
}

/**
 * Returns whether a person is still to complete the result: not once it was completed, or the attempt was ended
 * meanwhile.
 */
export function needsIntervention({ phases, intervention }: Pick<AttemptRecord, 'phases' | 'intervention'>): boolean {
  return phases.every(({ phase }) => phase !== 7) && !intervention?.decision;
}

/** The name of a check in words. */
export function checkName(name: string): string {
  return name.replaceAll('_', ' ');
}

function howIn(outcome: DriverOutcome, waits: boolean): string {
  switch (outcome) {
    case 'HALT':
      return 'stopped at';
    case 'ASK_USER':
      return 'asks a person at';
    case 'INTERVENTION_REQUIRED':
      return waits ? 'waits for a person at' : 'asked a person at';
    case 'PASS':
      return 'passed';
  }
}
