import type { Outstanding } from '../../contracts/record/changeEvidence';
import type { HumanDecision } from '../../contracts/record/header';
import { sameDigest } from '../../contracts/vocabulary/codes/evidenceFindings';
import { leftBefore, leftBy, notAsLeft, type Sides } from '../../base/fileState';
import type { RawChange } from './change';
import { visible } from '../../base/text/marked/visible';

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

/** More names are too many to type, or to read in one command line. */
const namesAtMost = 20;

/** Names that accept a list: each by itself, or, where too many, by folders around them, with a slash at the end. */
export function acceptNames(list: readonly OutstandingChange[]): readonly string[] {
  const names = byRepository(list.map(nameOfChange));
  if (names.length <= namesAtMost) return names;
  const folders = [...new Set(names.map((name) => topOf(name)))];
  if (folders.length <= namesAtMost) return folders;
  const rest = folders.filter((name) => !isBelow(name, everything));
  return [everything, ...rest];
}

/** The same names, with one name for what `git init` makes in a folder below the workspace. */
export function byRepository(names: readonly string[]): readonly string[] {
  return [...new Set(names.map((name) => /^(?!\.\/\.git\/).+?\/\.git\/(?=.)/.exec(name)?.[0] ?? name))];
}

/** The names of a list that a person means by one name, as it is shown; empty: it is not on the list. */
export function namesMeant(name: string, list: readonly OutstandingChange[]): readonly string[] {
  const names = [...new Set(list.map(nameOfChange))];
  const exact = names.includes(name) ? name : names.find((one) => visible(one) === name);
  if (exact !== undefined) return [exact];
  return name.endsWith('/') ? names.filter((one) => isBelow(one, name) || isBelow(visible(one), name)) : [];
}

/** The name for the whole workspace. Facts of git and changes that could not be read have names of their own. */
const everything = './';

function isBelow(name: string, folder: string): boolean {
  if (folder !== everything) return name.startsWith(folder);
  return !/^(?:\.git\/|attempt:\d+$)/.test(name);
}

function topOf(name: string): string {
  if (name.startsWith('./')) return name;
  const slash = name.indexOf('/');
  return slash === -1 ? name : name.slice(0, slash + 1);
}
