import type { AttemptFacts } from './facts';

/** Returns whether an attempt launched no worker, because it judged once more what an earlier one had left. */
export function onlyValidates({ launches, decided_by }: Pick<AttemptFacts, 'launches' | 'decided_by'>): boolean {
  return launches.length === 0 && decided_by?.outcome === 'rerun-validation';
}
