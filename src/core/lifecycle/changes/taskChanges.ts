import type { Attempt } from '../../model/attempt';
import type { Change } from '../../observation/change';

/**
 * The changes that are the work of the task. A person may have changed its approved paths after the worker, for
 * instance with a formatter. That counts only where a person has asked for the result as it is now.
 */
export function workOf({ observed }: Attempt, byPerson: boolean): readonly Change[] {
  return (observed?.changes ?? []).filter(
    ({ attribution, scratch, in_scope }) =>
      !scratch && (attribution === 'worker' || (byPerson && in_scope && attribution === 'external_change')),
  );
}
