import { sameMode } from '../../base/fileState';
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

/**
 * An acceptance covers the bytes that the person was shown, not the name. Null while the place is as accepted or as
 * before the change, or cannot be read; anything else is a change that blocks again.
 */
export function changedSinceAccepted(entry: Accepted, now: PathStanding, attempt: number): OutstandingChange | null {
  if (now.found === 'unknown' || isAsAccepted(entry, now) || isAsBefore({ ...entry, kind: now.kind }, now)) return null;
  const { path, category, found_sha256, resolved_path } = entry;
  return {
    path,
    kind: changeKindOf(entry, now),
    before_sha256: found_sha256,
    found_sha256: now.sha256,
    resolved_path,
    detail: now.kind === 'index_flag' ? `${says(entry) ?? 'no flag'} -> ${now.says ?? 'no flag'}` : null,
    why: `${noLonger} ${entry.settled.decision.actor.name} accepted`,
    category,
    attempt,
  };
}

/** Returns whether a change blocks because its place holds other bytes than a person accepted. */
export function isNoLongerAccepted({ why }: Pick<OutstandingChange, 'why'>): boolean {
  return why.startsWith(noLonger);
}

const noLonger = 'is no longer what';

function isAccepted(entry: Outstanding): entry is Accepted {
  return entry.settled?.how === 'accepted' && entry.kind !== 'unread';
}

function isAsAccepted(entry: Accepted, now: PathStanding): boolean {
  const same = now.sha256?.toUpperCase() === entry.found_sha256?.toUpperCase();
  switch (entry.kind) {
    case 'added':
    case 'modified':
    case 'type_changed':
      // Without a digest, only a change to a regular file with a digest can be seen. A link, a
      // folder and a large file have none.
      return entry.found_sha256 === null ? now.found !== 'file' || now.sha256 === null : now.found === 'file' && same;
    case 'deleted':
      return now.found === 'absent';
    case 'mode_changed':
      return now.found === 'file' && same && sameMode(says(entry) ?? null, now.mode);
    case 'git':
      return entry.found_sha256 === null ? now.found === 'absent' : now.found === 'fact' && same;
    case 'index_flag':
      return (now.says ?? 'no flag') === (says(entry) ?? 'no flag');
    case 'unread':
      return true;
  }
}

function changeKindOf(entry: Accepted, now: PathStanding): OutstandingChange['kind'] {
  if (now.kind === 'git' || now.kind === 'index_flag') return now.kind;
  if (now.found === 'absent') return 'deleted';
  return entry.found_sha256 === null ? 'added' : 'modified';
}

/** The right side of a detail such as `mode 0644 -> 0755`. */
function says({ detail }: Accepted): string | undefined {
  return / -> (.*)$/s.exec(detail ?? '')?.[1];
}
