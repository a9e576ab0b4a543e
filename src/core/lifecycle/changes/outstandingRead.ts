import type { Outstanding } from '../../../contracts/record/changeEvidence';
import type { EventOf, MissionEvent } from '../../model/events';
import type { Attempt } from '../../model/attempt';
import { openChanges, rowOf, type Tasks } from '../../model/state';
import type { RawChange } from '../../observation/change';
import { placeKey } from '../../observation/outstanding';
import { isAsBefore, type PathStanding } from '../../observation/pathState';

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
