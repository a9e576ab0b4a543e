import { verifiesBeside } from '../model/lanes';
import { rowOf, type Attempt, type Mission } from '../model/state';
import { attribute } from '../observation/attribute';
import type { Change, RawChange } from '../observation/change';
import type { PathComparison } from '../paths/compare';
import { ownChanges } from './ownChanges';
import { workerLaunch } from './workerLaunch';

/**
 * Of everything that changed since the baseline of an attempt: what it has to answer for, and whose each of that is. The
 * same at the end of its worker and in the middle of it; what is recorded is only ever the end.
 */
export function attributeChanges(
  mission: Mission,
  attempt: Attempt,
  found: readonly RawChange[],
  comparison: PathComparison,
): { readonly changes: readonly Change[]; readonly elsewhere: readonly string[] } {
  const scope = rowOf(mission, attempt.task_id)?.scope;
  const launch = workerLaunch(attempt);
  const { own, elsewhere } = ownChanges(mission, attempt, found, comparison);
  const { changes } = attribute({
    changes: own,
    paths: scope?.paths ?? [],
    forbidden_paths: scope?.forbidden_paths ?? [],
    worker_started_at: launch?.process?.started_at ?? launch?.end?.started_at ?? null,
    worker_ended_at: launch?.end?.ended_at ?? null,
    external_saves: attempt.external_saves,
    announced: attempt.scope_breach,
    verified_beside: verifiesBeside(mission, attempt),
    later: attempt.validates ? 'external_change' : 'unattributed',
    comparison,
  });
  return { changes, elsewhere };
}
