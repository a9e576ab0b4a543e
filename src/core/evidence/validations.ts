import type { AttemptEvidence } from '../../contracts/taskEvidence';

/** Returns whether an attempt launched no worker, because it judged once more what an earlier one had left. */
export function onlyValidates({ launches, decided_by }: Pick<AttemptEvidence, 'launches' | 'decided_by'>): boolean {
  return launches.length === 0 && decided_by?.outcome === 'rerun-validation';
}
