import type { MissionEvent } from '../model/events';
import type { Attempt, Mission, TaskRow } from '../model/state';
import { acceptedLast, changedSinceAccepted, type Accepted } from '../observation/accepted';
import { placeKey } from '../observation/outstanding';
import type { PathStanding } from '../observation/standing';
import { inScope, type PathComparison } from '../paths/compare';

/**
 * What persons accepted in this mission and has to be as they accepted it. Not asked about: what a later attempt changed
 * and was judged for, and what lies in the lock of another lane, which may change it.
 */
export function acceptedPlaces(mission: Mission, attempt: Attempt, comparison: PathComparison): readonly Accepted[] {
  const beside = mission.rows.filter(
    ({ task }) => task.task_id !== attempt.task_id && mission.lanes.some((lane) => lane.task_id === task.task_id),
  );
  return acceptedIn(mission)
    .filter((entry) => !mission.rows.some((row) => judgedLater(row, entry)))
    .filter(({ path }) => !beside.some(({ scope }) => inScope(path, scope.paths, comparison)));
}

/** Puts on the list of this task what is not as it was accepted, for whichever task that was. */
export function acceptedRead(
  mission: Mission,
  { task_id, attempt }: Attempt,
  standing: readonly PathStanding[],
): readonly MissionEvent[] {
  const looked = new Map(standing.map((one) => [placeKey(one), one]));
  const changes = acceptedIn(mission).flatMap((entry) => {
    const now = looked.get(placeKey(entry));
    return (now && changedSinceAccepted(entry, now, attempt)) ?? [];
  });
  return changes.length > 0 ? [{ type: 'ChangesOutstanding', task_id, attempt, changes }] : [];
}

function acceptedIn({ rows }: Mission): readonly Accepted[] {
  return acceptedLast(rows.map(({ outstanding }) => outstanding));
}

function judgedLater(row: TaskRow, entry: Accepted): boolean {
  const { at } = entry.settled.decision;
  return row.attempts
    .filter(({ ended_at }) => ended_at > at)
    .flatMap(({ observed, after_verify }) => [...(observed?.changes ?? []), ...(after_verify?.changes ?? [])])
    .some((change) => placeKey(change) === placeKey(entry) && change.after_sha256 !== entry.found_sha256);
}
