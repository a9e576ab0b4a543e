import { verifiesBeside } from '../../model/lanes';
import type { Attempt, AttemptRecord } from '../../model/attempt';
import { rowOf, type Tasks, writablePaths } from '../../model/state';
import { attribute } from '../../observation/attribute';
import { certainIn, type Proofs } from '../../observation/proofOfAuthor';
import type { Change, RawChange } from '../../observation/change';
import { placeKey } from '../../observation/outstanding';
import { inScope, nameKey, type PathComparison } from '../../paths/compare';
import { pathsHeldAgainst } from '../parts/announced';
import { linksOfOthers, reachesOf } from './launchReach';
import { ownChanges, type Judged } from './ownChanges';
import { isOfPlan } from '../parts/planWait';
import { reliedOnIn, scratchOf } from './reliedOn';
import { unlandedOf } from '../parts/strays';
import { workerSpan } from '../parts/workerLaunch';

/** The attributed changes of this attempt since its baseline; `elsewhere`: of other lanes. Early looks ask it, too. */
export function attributeChanges(
  mission: Tasks,
  attempt: Attempt,
  found: readonly RawChange[],
  { comparison, others }: Omit<Judged, 'until'>,
): { readonly changes: readonly Change[]; readonly elsewhere: readonly string[] } {
  const row = rowOf(mission, attempt.task_id);
  const span = workerSpan(mission, attempt);
  const reaches = reachesOf(mission, attempt);
  const { own, elsewhere } = ownChanges(mission, attempt, found, {
    comparison,
    until: 'worker_end',
    ...(others && { others }),
  });
  const changes = attribute({
    changes: own,
    paths: row.scope.paths,
    forbidden_paths: row.scope.forbidden_paths,
    worker_started_at: span.started_at,
    worker_ended_at: span.ended_at,
    worker_paused: span.pauses,
    external_saves: attempt.external_saves,
    announced: pathsHeldAgainst(attempt),
    verified_beside: verifiesBeside(mission, attempt),
    // A person who completes a result, or has it judged again, writes after the worker's end.
    later: attempt.validates || attempt.intervention ? 'external_change' : 'unattributed',
    reaches,
    hasLanded: landedOf(row.attempts, attempt),
    unlanded: [...unlandedOf(row, attempt, comparison), ...linksOfOthers(mission, attempt, own)],
    isCertain: certainIn(proofsOf(mission, attempt, comparison)),
    reliedOn: reliedOnIn(mission, attempt, comparison),
    isOfPlan: (change) => isOfPlan(mission, change),
    isScratch: scratchOf(mission, attempt, comparison),
    comparison,
  });
  return { changes, elsewhere };
}

/** Returns which changes are as the layer held them that the attempt validates: its landing, after the worker, set their time. */
function landedOf(attempts: readonly AttemptRecord[], { validates }: Attempt): (change: RawChange) => boolean {
  // A landing that failed may have put a part there.
  const made = attempts.find(({ landing }) => landing && landing.launch_id === validates?.launch.launch_id);
  const held = new Map(
    made?.observed?.changes.flatMap((change) => (change.layered ? [[placeKey(change), change]] : [])),
  );
  return (change) => {
    const was = held.get(placeKey(change));
    return was !== undefined && was.kind === change.kind && was.after_sha256 === change.after_sha256;
  };
}

/** Returns whether a place was open to the worker, or more than a time shows that it wrote there. */
export function isWorkersIn(
  mission: Tasks,
  attempt: Attempt,
  comparison: PathComparison,
): (change: RawChange) => boolean {
  const isCertain = certainIn(proofsOf(mission, attempt, comparison));
  const announced = new Set(pathsHeldAgainst(attempt).map((path) => nameKey(path, comparison)));
  const open = writablePaths(rowOf(mission, attempt.task_id));
  return (change) =>
    inScope(change.path, open, comparison) || announced.has(nameKey(change.path, comparison)) || isCertain(change);
}

export function proofsOf(mission: Tasks, attempt: Attempt, comparison: PathComparison): Proofs {
  return {
    paths: rowOf(mission, attempt.task_id).scope.paths,
    locked: mission.rows.flatMap(({ task, scope }) => (task.task_id === attempt.task_id ? [] : scope.paths)),
    claims: attempt.claim.kind === 'valid' ? attempt.claim.result.changes : [],
    reaches: reachesOf(mission, attempt),
    comparison,
  };
}
