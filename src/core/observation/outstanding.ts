import type { Outstanding } from '../../contracts/record/changeEvidence';
import type { HumanDecision } from '../../contracts/record/header';
import { sameDigest } from '../../contracts/vocabulary/codes/evidenceFindings';
import { leftBefore, leftBy, notAsLeft, type Sides } from '../../base/fileState';
import type { RawChange } from './change';

/** Listed until undone or accepted by name. Compared with the first baseline, because later ones contain it. */
export type OutstandingChange = Omit<Outstanding, 'settled'>;

/** The name by which a person accepts changes that could not be read. */
export function unreadPath(attempt: number): string {
  return `attempt:${attempt}`;
}

export function unreadChange(attempt: number, why: string): OutstandingChange {
  return {
    path: unreadPath(attempt),
    kind: 'unread',
    before_sha256: null,
    found_sha256: null,
    resolved_path: null,
    detail: null,
    why: `stands for the changes of attempt ${attempt}, which could not be read: ${why}`,
    category: 'external_change',
    attempt,
  };
}

/** The name by which a person accepts a change; `./` distinguishes a file from an `attempt:<n>` and from an option. */
export function nameOfChange({ path, kind }: Pick<OutstandingChange, 'path' | 'kind'>): string {
  return kind !== 'unread' && /^(attempt:\d+$|-)/.test(path) ? `./${path}` : path;
}

export function stillOpen(list: readonly Outstanding[]): readonly Outstanding[] {
  return list.filter(({ settled }) => settled === null);
}

/** Equal for changes of the same path and the same aspect of it: content, a fact of git, or an index flag. */
export function placeKey({ path, kind }: Pick<OutstandingChange, 'path' | 'kind'>): string {
  return `${path}\0${['git', 'index_flag', 'unread'].includes(kind) ? kind : 'content'}`;
}

/**
 * Returns whether a change restores, or may restore, what lay there before a change on the list. Another change may
 * follow at a place where it was gone at the baseline.
 */
export function undoes(
  change: Undoing,
  entry: Pick<OutstandingChange, 'path' | 'kind' | 'before_sha256' | keyof Sides>,
): boolean {
  if (placeKey(change) !== placeKey(entry)) return false;
  if (change.kind === 'git') return sameDigest(change.after_sha256 ?? '', entry.before_sha256 ?? '');
  if (change.kind === 'index_flag') return change.after_says === entry.before_says;
  const [before, left] = [leftBefore(entry), leftBy(change)];
  return before.kind === 'unknown' || left.kind === 'unknown' || notAsLeft(before, left) === null;
}

type Undoing = Pick<RawChange, 'path' | 'kind' | 'after_sha256' | keyof Sides>;

/** Adds changes to a list; one that is listed and open keeps what it was first compared with. */
export function listed(list: readonly Outstanding[], found: readonly OutstandingChange[]): readonly Outstanding[] {
  const all = [...list];
  const open = new Map(
    all.flatMap((entry, index) => (entry.settled === null ? [[placeKey(entry), index] as const] : [])),
  );
  for (const change of found) {
    const index = open.get(placeKey(change));
    const known = index === undefined ? undefined : all[index];
    const { found_sha256, after_mode, after_link, after_says } = change;
    if (known && index !== undefined) all[index] = { ...known, found_sha256, after_mode, after_link, after_says };
    else open.set(placeKey(change), all.push({ ...change, settled: null }) - 1);
  }
  return all;
}

/** The list once a person has accepted the open changes of these names. */
export function withAccepted(
  list: readonly Outstanding[],
  { names, decision }: { readonly names: readonly string[]; readonly decision: HumanDecision },
): readonly Outstanding[] {
  const accepted = new Set(names);
  return list.map((entry) =>
    entry.settled === null && accepted.has(nameOfChange(entry))
      ? { ...entry, settled: { how: 'accepted', decision } }
      : entry,
  );
}

export function outstandingLine(entry: OutstandingChange): string {
  return entry.kind === 'unread' ? `${entry.path} ${entry.why}` : `${entry.kind} ${nameOfChange(entry)}: ${entry.why}`;
}
