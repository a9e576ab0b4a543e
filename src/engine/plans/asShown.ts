import { done, refused, type Outcome } from '../../base/outcome';
import type { PlanFiles } from '../ports/plans';

const next = 'Look at it again, then repeat the command.';

/**
 * Refuses a plan that is not what a person saw, because a question may stay open for hours. A plan that says APPROVED
 * already gets no write that would notice the change.
 *
 * @param sha256 of the bytes that were shown
 */
export async function asShown(
  plans: Pick<PlanFiles, 'read'>,
  path: string,
  sha256: string | null,
): Promise<Outcome<null>> {
  if ((await plans.read(path)).sha256 === sha256) return done(null);
  const reason = 'Nothing was approved, because the plan has changed since it was shown.';
  return refused('PLAN_HASH_MISMATCH', reason, next);
}

/** The same for changes that an editor holds and the disk does not have yet. */
export function notSaved(): Outcome<never> {
  const reason = 'Nothing was approved, because the plan has unsaved changes, which were not shown.';
  return refused('PLAN_HASH_MISMATCH', reason, next);
}
