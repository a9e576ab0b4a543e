import type { AttemptRecord } from '../model/attempt';
import type { Change } from '../observation/change';
import { announcedChanges } from '../observation/claim';

type Announcing = Pick<
  AttemptRecord,
  'claim' | 'late_result' | 'intervention' | 'observed' | 'scope_breach' | 'breach_seen'
>;

/**
 * Those changes that the worker itself announced, in its stream or in its result. Nothing but its time gives it any
 * other change: people, editors and other programs write at the same time, and no sandbox keeps them from it.
 */
export function announcedBy(attempt: Announcing, changes: readonly Change[]): ReadonlySet<Change> {
  const { late_result, intervention, observed } = attempt;
  // A person who completes a result names what is there.
  const claim = intervention?.claimed ?? late_result?.claim ?? attempt.claim;
  const claims = claim.kind === 'valid' ? claim.result.changes : [];
  const announced = announcedChanges(claims, changes, observed ? { comparison: observed.comparison } : {});
  const stream = streamBreach(attempt);
  if (stream === null) return announced;
  return new Set(changes.filter((change) => announced.has(change) || change.path === stream));
}

/** The path out of scope that the stream of the worker announced; null: it announced none. */
export function streamBreach({ scope_breach, breach_seen }: Announcing): string | null {
  return breach_seen ? null : scope_breach;
}
