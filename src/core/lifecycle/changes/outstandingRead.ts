import type { Outstanding } from '../../../contracts/record/changeEvidence';
import type { EventOf, MissionEvent } from '../../model/events';
import type { Attempt } from '../../model/attempt';
import { openChanges, rowOf, type Tasks, type TaskRow } from '../../model/state';
import type { RawChange } from '../../observation/change';
import { placeKey, type OutstandingChange } from '../../observation/outstanding';
import { isAsBefore, type PathStanding } from '../../observation/pathState';
import { inScope, type PathComparison } from '../../paths/compare';
import { sameMode, sidesOf, type Sides } from '../../../base/fileState';

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
      ? (row.attempts.find((one) => one.attempt === of)?.observed?.changes ?? []).filter(
          (change) => placeKey(change) === placeKey(entry),
        )
      : [];
  const found = openChanges(row).flatMap((entry): Found => {
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
  if (!validates) return [];
  const row = rowOf(mission, task_id);
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

export type Accepted = Outstanding & { readonly settled: { readonly how: 'accepted' } };

/** The change that a person accepted last for each place on the lists of all tasks; none where one still blocks. */
function acceptedLast(lists: readonly (readonly Outstanding[])[]): readonly Accepted[] {
  const last = new Map<string, Accepted>();
  const all = lists.flat();
  for (const entry of all.filter(isAccepted)) {
    const known = last.get(placeKey(entry));
    if (!known || known.settled.decision.at <= entry.settled.decision.at) last.set(placeKey(entry), entry);
  }
  for (const entry of all) if (entry.settled === null) last.delete(placeKey(entry));
  return [...last.values()];
}

/** Covers the bytes that were shown. Null: as accepted, as before the change, or unreadable; else it blocks again. */
export function changedSinceAccepted(entry: Accepted, now: PathStanding, attempt: number): OutstandingChange | null {
  if (now.found === 'unknown' || isAsAccepted(entry, now) || isAsBefore({ ...entry, kind: now.kind }, now)) return null;
  const { path, category, found_sha256, resolved_path, after_mode, after_link, after_says } = entry;
  const by = entry.settled.decision.actor.name;
  return {
    path,
    kind: changeKindOf(entry, now),
    before_sha256: found_sha256,
    found_sha256: now.sha256,
    ...sidesOf({ before_mode: after_mode, before_link: after_link, before_says: after_says, ...sidesNow(now) }),
    resolved_path,
    detail: now.kind === 'index_flag' ? `${after_says ?? 'no flag'} -> ${now.says ?? 'no flag'}` : null,
    why: `is no longer what ${by} accepted`,
    accepted_before_by: by,
    category,
    attempt,
  };
}

function sidesNow({ found, mode, says }: PathStanding): Sides {
  const after = { ...(mode !== null && { after_mode: mode }) };
  if (says === null) return after;
  return { ...after, ...(found === 'symlink' ? { after_link: says } : { after_says: says }) };
}

function isAccepted(entry: Outstanding): entry is Accepted {
  return entry.settled?.how === 'accepted' && entry.kind !== 'unread';
}

function isAsAccepted(entry: Accepted, now: PathStanding): boolean {
  const same = now.sha256?.toUpperCase() === entry.found_sha256?.toUpperCase();
  switch (entry.kind) {
    case 'added':
    case 'modified':
    case 'type_changed':
      if (entry.after_link !== undefined) return now.found === 'symlink' && now.says === entry.after_link;
      // Without a digest, only a change to a regular file with a digest can be seen. A folder and a large file have none.
      return entry.found_sha256 === null ? now.found !== 'file' || now.sha256 === null : now.found === 'file' && same;
    case 'deleted':
      return now.found === 'absent';
    case 'mode_changed':
      return now.found === 'file' && same && sameMode(entry.after_mode ?? null, now.mode);
    case 'git':
      return entry.found_sha256 === null ? now.found === 'absent' : now.found === 'fact' && same;
    case 'index_flag':
      return now.says === (entry.after_says ?? null);
    case 'unread':
      return true;
  }
}

function changeKindOf(entry: Accepted, now: PathStanding): OutstandingChange['kind'] {
  if (now.kind === 'git' || now.kind === 'index_flag') return now.kind;
  if (now.found === 'absent') return 'deleted';
  return entry.found_sha256 === null && entry.after_link === undefined ? 'added' : 'modified';
}
