import { ranBeside } from '../../model/lanes';
import type { Attempt } from '../../model/attempt';
import { rowOf, type TaskRow, type Tasks } from '../../model/state';
import { leadsOutReason, protectedReason, savedIn } from '../../observation/attribute';
import type { RawChange } from '../../observation/change';
import type { PathStanding } from '../../observation/pathState';
import { placeKey } from '../../observation/outstanding';
import { changedSince, type VerifyChange, type VerifyDifference } from '../../observation/verifyChange';
import { firstHolder, inScope, type PathComparison } from '../../paths/compare';
import { isDeskFile } from '../../../base/leftovers';
import { isBeyondReach } from '../../observation/writablePlaces';
import { reachesOfVerify } from './launchReach';
import { ownChanges, type Judged } from './ownChanges';
import { dueMerges } from '../parts/merges';
import { isOfPlan } from '../parts/planWait';
import { reliedOnIn, scratchOf } from './reliedOn';

export function differencesOfVerify(
  mission: Tasks,
  attempt: Attempt,
  found: readonly RawChange[],
  { comparison, others }: Omit<Judged, 'until'>,
): { readonly differences: readonly VerifyDifference[]; readonly elsewhere: readonly string[] } {
  const { own, elsewhere } = ownChanges(mission, attempt, found, {
    comparison,
    until: 'now',
    ...(others && { others }),
  });
  const row = rowOf(mission, attempt.task_id);
  const landed = new Set(dueMerges(mission, row, attempt, { isUnderWay: true }).map(({ path }) => path));
  const differences = changedSince(attempt.observed?.changes ?? [], own).filter(({ path }) => !landed.has(path));
  return { differences, elsewhere };
}

/**
 * Decides which differences block. Verify commands run code of the worker, whose writes were not approved: tracked
 * files, paths of other tasks, protected places and the files that the worker was judged by must not change. Other
 * files (caches, coverage, reports) are only recorded, also ignored ones that the worker itself had left.
 */
export function judgeVerifyDifferences(
  mission: Tasks,
  attempt: Attempt,
  differences: readonly VerifyDifference[],
  { standing, comparison }: { readonly standing: readonly PathStanding[]; readonly comparison: PathComparison },
): readonly VerifyChange[] {
  const row = rowOf(mission, attempt.task_id);
  const judgedPlaces = new Set((attempt.observed?.changes ?? []).filter(({ scratch }) => !scratch).map(placeKey));
  const isScratch = scratchOf(mission, attempt, comparison);
  const git = new Map(standing.map((one) => [placeKey(one), one.git]));
  const others = mission.rows.filter(({ task }) => task.task_id !== attempt.task_id);
  const results = resultsOf(others);
  const holderOf = firstHolder(
    others.map(({ scope }) => scope.paths),
    comparison,
  );
  const savedInEditor = savedIn({ external_saves: attempt.external_saves, comparison });
  const since = attempt.launches.find(({ purpose }) => purpose.kind === 'verify')?.requested_at ?? '';
  const alone = ranBeside(mission, attempt).every(
    ({ attempt: other }) => 'ended_at' in other && other.ended_at < since,
  );
  const reaches = reachesOfVerify(attempt);
  const reliedOn = reliedOnIn(mission, attempt, comparison);
  const { forbidden_paths, paths } = row.scope;
  const isOfDesk = (change: VerifyDifference): boolean =>
    isDeskFile(change.path) &&
    git.get(placeKey(change)) !== 'tracked' &&
    !judgedPlaces.has(placeKey(change)) &&
    !results.has(placeKey(change)) &&
    (protectedReason(change, { forbidden_paths, comparison }) ?? leadsOutReason(change)) === null;
  return differences.map((change): VerifyChange => {
    const in_scope = inScope(change.path, paths, comparison);
    // The mission waits for the approved bytes by itself.
    if (isOfPlan(mission, change) || isOfDesk(change) || (!change.undone && savedInEditor(change)))
      return { ...change, attribution: 'external_change', in_scope, blocks: null };
    if (reaches.length > 0 && isBeyondReach(change, reaches, comparison))
      return { ...change, attribution: 'external_change', in_scope, blocks: reliedOn(change), by_others: true };
    const known = git.get(placeKey(change)) ?? null;
    const holder = others[holderOf(change.path)];
    const blocks =
      protectedReason(change, { forbidden_paths, comparison }) ??
      (!in_scope && holder ? `lies in the approved paths of task ${holder.task.task_id}` : null) ??
      (judgedPlaces.has(placeKey(change)) && known !== 'ignored' ? 'is part of what the worker was judged by' : null) ??
      (results.has(placeKey(change)) ? `is part of what task ${results.get(placeKey(change)) ?? ''} left` : null) ??
      (reaches.length > 0 && isScratch(change.path) ? null : leadsOutReason(change, { reaches, comparison })) ??
      knownReason(change, known, in_scope || isScratch(change.path));
    const scratch = !in_scope && isScratch(change.path) ? ({ scratch: true } as const) : {};
    return { ...change, attribution: alone || in_scope ? 'verify' : 'unattributed', in_scope, blocks, ...scratch };
  });
}

/** The task that changed each place, also a place that lies in the approved paths of several. */
function resultsOf(rows: readonly TaskRow[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { task, attempts } of rows)
    for (const { observed } of attempts)
      for (const change of observed?.changes ?? [])
        if (change.attribution === 'worker' && !change.scratch) found.set(placeKey(change), task.task_id);
  return found;
}

/**
 * Says why a verify command may not change the place, by what git knows of it; null: it may. Outside the task's paths a
 * file that was there before blocks, unless git is known to ignore it.
 */
function knownReason(change: VerifyDifference, git: PathStanding['git'], in_scope: boolean): string | null {
  if (git === 'used') return 'is a hook or configuration that git would use later';
  if (git === 'tracked') return 'is tracked by git';
  if (in_scope || change.kind === 'added' || git === 'ignored') return null;
  return git === null
    ? 'was there before the task, and it is unknown whether git tracks it'
    : 'was there before the task, and git does not ignore it';
}
