import type { Attempt } from '../model/attempt';
import type { Change } from '../observation/change';

/**
 * The changes that are the work of the task. What a person wrote after the worker in its approved paths, a formatter
 * over its files for example, is work where a person has asked for the result as it is now.
 */
export function workOf({ observed }: Attempt, byPerson: boolean): readonly Change[] {
  return (observed?.changes ?? []).filter(
    ({ attribution, scratch, in_scope }) =>
      !scratch && (attribution === 'worker' || (byPerson && in_scope && attribution === 'external_change')),
  );
}
