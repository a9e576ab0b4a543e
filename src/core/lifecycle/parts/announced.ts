import type { AttemptRecord } from '../../model/attempt';
import type { Change } from '../../observation/change';
import { announcedChanges } from '../../observation/claim';
import { caseSensitive, nameKey } from '../../paths/compare';

type Streaming = Pick<AttemptRecord, 'scope_breach' | 'breach_seen' | 'breach_stray' | 'launches'>;

type Announcing = Streaming & Pick<AttemptRecord, 'claim' | 'late_result' | 'intervention' | 'observed'>;

/** The changes that the worker itself announced; any other may be of people and programs beside it. */
export function announcedBy(attempt: Announcing, changes: readonly Change[]): ReadonlySet<Change> {
  const { late_result, intervention, observed } = attempt;
  const comparison = observed?.comparison ?? caseSensitive;
  const keyOf = (path: string): string => nameKey(path, comparison);
  // A person who completes a result names what is there.
  const claim = intervention?.claimed ?? late_result?.claim ?? attempt.claim;
  const claims = claim.kind === 'valid' ? claim.result.changes : [];
  const announced = announcedChanges(claims, changes, { comparison });
  const stream = new Set(streamPaths(attempt).map(keyOf));
  return new Set(changes.filter((change) => announced.has(change) || stream.has(keyOf(change.path))));
}

/** The paths for more than whose time the worker answers: it was stopped for one, or its streams named it. */
export function pathsHeldAgainst(attempt: Streaming): readonly string[] {
  const { scope_breach, breach_stray } = attempt;
  return [...(scope_breach === null || breach_stray ? [] : [scope_breach]), ...streamPaths(attempt)];
}

export function streamPaths({ scope_breach, breach_seen, launches }: Streaming): readonly string[] {
  const named = launches.flatMap(({ purpose, end }) => (purpose.kind === 'worker' ? (end?.announced ?? []) : []));
  return [...new Set([...(scope_breach === null || breach_seen ? [] : [scope_breach]), ...named])];
}
