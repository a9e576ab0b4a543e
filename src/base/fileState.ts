/** What lies at a path: as a task left it, or as it is now. */
export type Left =
  | { readonly kind: 'nothing' | 'folder' | 'special' }
  /** `mode`: see `sameMode`; null: unknown, or of no meaning on this platform. */
  | { readonly kind: 'file'; readonly sha256: string; readonly mode: string | null }
  | { readonly kind: 'link'; readonly target: string }
  /** A folder above the path is a link. */
  | { readonly kind: 'behind_link' }
  | { readonly kind: 'unknown'; readonly why: string };

const sideNames = ['before_mode', 'before_link', 'before_says', 'after_mode', 'after_link', 'after_says'] as const;

/** What lay at a path before and after a change, beside the digests, as `changeEvidenceSchema` has it. */
export type Sides = { readonly [name in (typeof sideNames)[number]]?: string | undefined };

export function sidesOf(change: Sides): Sides {
  return Object.fromEntries(sideNames.flatMap((name) => (change[name] === undefined ? [] : [[name, change[name]]])));
}

/** Returns what a change left. Older records of links and modes do not say. */
export function leftBy(
  change: Pick<Sides, 'after_mode' | 'after_link'> & { readonly kind: string; readonly after_sha256: string | null },
): Left {
  const { kind, after_sha256, after_mode, after_link } = change;
  if (kind === 'deleted') return { kind: 'nothing' };
  if (after_link !== undefined) return { kind: 'link', target: after_link };
  if (after_sha256 !== null) return { kind: 'file', sha256: after_sha256, mode: after_mode ?? null };
  return unrecorded;
}

/** Returns what lay at a path before a change, by what the record of the change says. */
export function leftBefore(change: Sides & { readonly kind: string; readonly before_sha256: string | null }): Left {
  const { kind, before_sha256, before_mode, before_link, after_mode } = change;
  if (kind === 'added') return { kind: 'nothing' };
  if (before_link !== undefined) return { kind: 'link', target: before_link };
  if (before_sha256 === null) return unrecorded;
  // A change that does not name the mode left it alone.
  return {
    kind: 'file',
    sha256: before_sha256,
    mode: before_mode ?? (kind === 'mode_changed' ? null : (after_mode ?? null)),
  };
}

/** A state as documents record it. Without digest, link and mark nothing lies there. */
export interface RecordedState {
  readonly sha256: string | null;
  readonly mode?: string | undefined;
  readonly link?: string | undefined;
  readonly unread?: true | undefined;
}

export function asLeft(output: RecordedState): Left {
  const { sha256, mode, link, unread } = output;
  if (link !== undefined) return { kind: 'link', target: link };
  if (unread) return unrecorded;
  return sha256 === null ? { kind: 'nothing' } : { kind: 'file', sha256, mode: mode ?? null };
}

/** The record of a state, as another clone can have it. */
export function recordOf(left: Left): RecordedState {
  if (left.kind === 'file') return { sha256: left.sha256, ...(left.mode !== null && { mode: gitMode(left.mode) }) };
  if (left.kind === 'link') return { sha256: null, link: left.target };
  return { sha256: null, ...(left.kind !== 'nothing' && { unread: true as const }) };
}

/** Says how a path is not as it was left, after its name in a sentence; null: it is, by all that is known. */
export function notAsLeft(left: Left, now: Left): string | null {
  if (left.kind === 'unknown') return `cannot be compared: ${left.why}`;
  if (now.kind === 'unknown') return `cannot be compared: ${now.why}`;
  if (now.kind === 'behind_link') return 'is reached through a link now';
  if (left.kind === 'nothing')
    return now.kind === 'nothing' ? null : `is ${kinds[now.kind]} now, and was gone at the end of the task`;
  if (now.kind === 'nothing') return 'is gone';
  if (left.kind === 'file' && now.kind === 'file') {
    if (left.sha256.toUpperCase() !== now.sha256.toUpperCase()) return 'has another content';
    if (left.mode === null || now.mode === null || sameMode(left.mode, now.mode)) return null;
    return `has mode ${now.mode} now, and had ${left.mode}`;
  }
  if (left.kind === 'link' && now.kind === 'link')
    return left.target === now.target ? null : `leads to ${cut(now.target)} now, and to ${cut(left.target)} before`;
  return `is ${kinds[now.kind]} now, and was ${kinds[left.kind]}`;
}

/** Says the same of an output. Outputs are files and links, so a folder in its place counts as nothing there. */
export function notAsOutput(left: Left, now: Left): string | null {
  return left.kind === 'nothing' && now.kind === 'folder' ? null : notAsLeft(left, now);
}

/** Returns whether two modes are the same: four digits are the whole mode, three are what git keeps of it. */
export function sameMode(one: string | null, other: string | null): boolean {
  if (one === null || other === null || one === other) return true;
  return (one.length < 4 || other.length < 4) && gitMode(one) === gitMode(other);
}

/** Returns what git keeps of a mode, with setuid and setgid. */
export function gitMode(mode: string): string {
  const bits = Number.parseInt(mode, 8);
  return ((bits & 0o6000) | ((bits & 0o111) === 0 ? 0o644 : 0o755)).toString(8);
}

/** Returns a state as another clone can have it too: git keeps no more of a mode. */
export function inAnyClone(left: Left): Left {
  return left.kind === 'file' && left.mode !== null ? { ...left, mode: gitMode(left.mode) } : left;
}

const unrecorded: Left = { kind: 'unknown', why: 'what it held was not recorded' };

const kinds = {
  file: 'a file',
  link: 'a link',
  folder: 'a folder',
  special: 'neither file nor link',
  behind_link: 'behind a link',
} as const;

function cut(link: string): string {
  return link.length > 200 ? `${link.slice(0, 200)}…` : link;
}

/** The folders around a normalised path, the outermost first. */
export function foldersAbove(path: string): readonly string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
}
