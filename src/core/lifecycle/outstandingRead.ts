import type { MissionEvent } from '../model/events';
import { openChanges, rowOf, type Attempt, type Mission } from '../model/state';
import { placeKey, type Outstanding } from '../observation/outstanding';
import { isAsBefore, type PathStanding } from '../observation/standing';

type Found = Extract<MissionEvent, { type: 'OutstandingRead' }>['found'];

/** How what is on the list of the task was found at this look. Nothing where the list is empty. */
export function outstandingRead(
  mission: Mission,
  { task_id, attempt }: Attempt,
  standing: readonly PathStanding[],
  read: readonly Outstanding[],
): readonly MissionEvent[] {
  const row = rowOf(mission, task_id);
  const looked = new Map([...standing].reverse().map((one) => [placeKey(one), one]));
  const found = (row ? openChanges(row) : []).flatMap((entry): Found => {
    const { path, kind } = entry;
    if (kind === 'unread') return read.includes(entry) ? [{ path, kind, sha256: null, gone: true }] : [];
    const now = looked.get(placeKey(entry));
    return now ? [{ path, kind, sha256: now.sha256, gone: isAsBefore({ ...entry, kind }, now) }] : [];
  });
  return found.length > 0 ? [{ type: 'OutstandingRead', task_id, attempt, found }] : [];
}

/** An attempt that judges once more, against the same baseline, what could not be read reads it after all. */
export function readAtLast(mission: Mission, { task_id, validates }: Attempt): readonly Outstanding[] {
  const row = rowOf(mission, task_id);
  if (!row || !validates) return [];
  const same = row.attempts
    .filter((earlier) => (earlier.validates?.attempt ?? earlier.attempt) === validates.attempt)
    .map(({ attempt }) => attempt);
  return openChanges(row).filter(({ kind, attempt }) => kind === 'unread' && same.includes(attempt));
}
