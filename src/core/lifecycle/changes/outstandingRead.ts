import type { Outstanding } from '../../../contracts/record/changeEvidence';
import type { EventOf, MissionEvent } from '../../model/events';
import type { Attempt } from '../../model/attempt';
import { openChanges, rowOf, type Tasks, type TaskRow } from '../../model/state';
import type { RawChange } from '../../observation/change';
import { placeKey } from '../../observation/outstanding';
import { isAsBefore, type PathStanding } from '../../observation/pathState';
import { acceptedLast, changedSinceAccepted, type Accepted } from '../../observation/accepted';
import { inScope, type PathComparison } from '../../paths/compare';

type Found = EventOf<'OutstandingRead'>['found'];

/** The event that says which changes on the list of the task are still there; none when the list is empty. */
export function outstandingRead(
  mission: Tasks,
  { task_id, attempt }: Attempt,
  standing: readonly PathStanding[],
  read: readonly Outstanding[],
): readonly MissionEvent[] {
  const row = rowOf(mission, task_id);
  const looked = new Map([...standing].reverse().map((one) => [placeKey(one), one]));
  // What a check changed is gone too where the work itself is taken back: a new attempt makes it again.
  const work = ({ attempt: of, category, ...entry }: Outstanding): readonly RawChange[] =>
    category === 'verify_changed_files'
      ? (row?.attempts.find((one) => one.attempt === of)?.observed?.changes ?? []).filter(
          (change) => placeKey(change) === placeKey(entry),
        )
      : [];
  const found = (row ? openChanges(row) : []).flatMap((entry): Found => {
    const { path, kind } = entry;
    if (kind === 'unread') return read.includes(entry) ? [{ path, kind, sha256: null, gone: true }] : [];
    const now = looked.get(placeKey(entry));
    return now
      ? [
          {
            path,
            kind,
            sha256: now.sha256,
            gone: [{ ...entry, kind }, ...work(entry)].some((one) => isAsBefore(one, now)),
          },
        ]
      : [];
  });
  return found.length > 0 ? [{ type: 'OutstandingRead', task_id, attempt, found }] : [];
}

/** Entries for changes that could not be read then, and that this validation has read against the same baseline. */
export function readAtLast(mission: Tasks, { task_id, validates }: Attempt): readonly Outstanding[] {
  const row = rowOf(mission, task_id);
  if (!row || !validates) return [];
  const same = row.attempts
    .filter((earlier) => (earlier.validates?.attempt ?? earlier.attempt) === validates.attempt)
    .map(({ attempt }) => attempt);
  return openChanges(row).filter(({ kind, attempt }) => kind === 'unread' && same.includes(attempt));
}

/** Accepted changes that must still be so: not judged again later, and in no paths of another live lane. */
export function acceptedPlaces(mission: Tasks, attempt: Attempt, comparison: PathComparison): readonly Accepted[] {
  const beside = mission.rows.filter(
    ({ task }) => task.task_id !== attempt.task_id && mission.lanes.some((lane) => lane.task_id === task.task_id),
  );
  return acceptedIn(mission)
    .filter((entry) => !mission.rows.some((row) => judgedLater(row, entry)))
    .filter(({ path }) => !beside.some(({ scope }) => inScope(path, scope.paths, comparison)));
}

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
