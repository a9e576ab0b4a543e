import { sameMode, sidesOf, type Sides } from '../../base/fileState';
import type { Outstanding } from '../../contracts/record/changeEvidence';
import { placeKey, type OutstandingChange } from './outstanding';
import { isAsBefore, type PathStanding } from './pathState';

export type Accepted = Outstanding & { readonly settled: { readonly how: 'accepted' } };

/** The change that a person accepted last for each place on the lists of all tasks; none where one still blocks. */
export function acceptedLast(lists: readonly (readonly Outstanding[])[]): readonly Accepted[] {
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
