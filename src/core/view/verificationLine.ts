import { verificationSteps } from '../../contracts/vocabulary/execution';
import type { AttemptRecord } from '../model/attempt';

/**
 * How far the verification of an attempt came, in one line, such as `4 of 7, scope and mutation: HALT (approved paths)`;
 * null before it, and in journals of older versions.
 */
export function verificationLine({ phases }: Pick<AttemptRecord, 'phases'>): string | null {
  const judged = phases.findLast(({ phase, steps, checks }) => steps ?? (phase !== 10 && checks?.failed));
  if (!judged) return null;
  const { steps = [], checks } = judged;
  if (checks?.failed)
    return `check ${plain(checks.failed.name)} (${plain(checks.point)}): ${words(checks.failed.outcome)}`;
  const all = Object.keys(verificationSteps).length;
  const last = steps.at(-1);
  if (!last) return `none of ${all} steps`;
  if (last.outcome === 'PASS' || last.outcome === 'not_applicable') {
    const noted = steps.some(({ recorded = [] }) => recorded.length > 0) ? ', with claims that nobody observed' : '';
    return last.step === all && judged.outcome === 'PASS'
      ? `${all} of ${all} steps passed${noted}`
      : `${last.step} of ${all} steps passed, then it was ended${noted}`;
  }
  return `${last.step} of ${all}, ${last.name}: ${words(last.outcome)}`;
}

function words(outcome: string): string {
  return outcome.replaceAll('_', ' ');
}

function plain(name: string): string {
  return name.replaceAll('_', ' ');
}
