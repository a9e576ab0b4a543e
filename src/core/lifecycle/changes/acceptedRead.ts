import type { MissionEvent } from '../../model/events';
import type { Attempt } from '../../model/attempt';
import type { TaskRow, Tasks } from '../../model/state';
import { acceptedLast, changedSinceAccepted, type Accepted } from '../../observation/accepted';
import { placeKey } from '../../observation/outstanding';
import type { PathStanding } from '../../observation/pathState';
import { inScope, type PathComparison } from '../../paths/compare';

/**
 * Accepted changes that must still be as they were accepted. A change is left out if a later attempt changed its place
 * and was judged for that. It is also left out if its path lies in those of another lane, which may change it.
 */
export function acceptedPlaces(mission: Tasks, attempt: Attempt, comparison: PathComparison): readonly Accepted[] {
  const beside = mission.rows.filter(
    ({ task }) => task.task_id !== attempt.task_id && mission.lanes.some((lane) => lane.task_id === task.task_id),
  );
  return acceptedIn(mission)
    .filter((entry) => !mission.rows.some((row) => judgedLater(row, entry)))
    .filter(({ path }) => !beside.some(({ scope }) => inScope(path, scope.paths, comparison)));
}

/** Puts accepted changes of any task that differ from what was accepted on the list of this task. */
export function acceptedRead(
  mission: Tasks,
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

function acceptedIn({ rows }: Tasks): readonly Accepted[] {
  return acceptedLast(rows.map(({ outstanding }) => outstanding));
}

function judgedLater(row: TaskRow, entry: Accepted): boolean {
  const { at } = entry.settled.decision;
  return row.attempts
    .filter(({ ended_at }) => ended_at > at)
    .flatMap(({ observed, after_verify }) => [...(observed?.changes ?? []), ...(after_verify?.changes ?? [])])
    .some((change) => placeKey(change) === placeKey(entry) && change.after_sha256 !== entry.found_sha256);
}
