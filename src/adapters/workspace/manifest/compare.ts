import { sidesOf, type Sides } from '../../../base/fileState';
import type { RawChange } from '../../../core/observation/change';
import { isoOf, type GitFact } from '../../git/files';
import { modeOf, sameContentByStat, type ManifestEntry } from '../../files/entry';
import type { NewFolder } from './newFolder';

/** Compares two readings of one path; null: nothing that counts has changed. A touched file is no change. */
export function compareEntries(before: ManifestEntry, after: ManifestEntry): RawChange | null {
  const base = {
    path: after.path,
    before_sha256: before.sha256 ?? null,
    after_sha256: after.sha256 ?? null,
    ...sides(before, after),
    resolved_path: leadsTo(after),
    changed_at: after.ctime_ms === 0 ? null : isoOf(after.ctime_ms),
  };
  if (before.type !== after.type) {
    const was = before.target === undefined ? before.type : `link to ${before.target}`;
    const is = after.target === undefined ? after.type : `${after.type} to ${after.target}`;
    return { ...base, kind: 'type_changed', detail: `${was} -> ${is}` };
  }
  if (after.type === 'symlink') {
    if (before.target === after.target) return null;
    return { ...base, kind: 'modified', detail: `link to ${before.target ?? ''} -> ${after.target ?? ''}` };
  }
  const mode = modeChange(before, after);
  if (before.sha256 !== undefined && after.sha256 !== undefined) {
    if (before.sha256 !== after.sha256) return { ...base, kind: 'modified', detail: mode };
    return mode === null ? null : { ...base, kind: 'mode_changed', detail: mode };
  }
  if (before.sha256 !== undefined && after.problem !== undefined) return nowUnreadable(before, after, base);
  if (after.type === 'file' && !sameContentByStat(before, after)) {
    return {
      ...base,
      kind: 'modified',
      detail: `compared by size, times and inode only (${after.problem ?? before.problem ?? 'no digest'})`,
    };
  }
  if (after.type !== 'file' && before.inode !== after.inode) {
    return { ...base, kind: 'modified', detail: `another ${after.type}` };
  }
  return mode === null ? null : { ...base, kind: 'mode_changed', detail: mode };
}

export function added(entry: ManifestEntry, changed_at: string | null): RawChange {
  const says =
    entry.type === 'symlink' ? `link to ${entry.target ?? ''}` : entry.type === 'file' ? unreadNote(entry) : entry.type;
  return {
    path: entry.path,
    kind: 'added',
    before_sha256: null,
    after_sha256: entry.sha256 ?? null,
    ...sides(undefined, entry),
    resolved_path: leadsTo(entry),
    changed_at,
    detail: says,
  };
}

/** Describes a large new folder that baselines leave out as one change. */
export function addedFolder(folder: NewFolder, changed_at: string | null): RawChange {
  const detail = `new folder of ${folder.files} files, reported as one; SHA-256 of its listing ${folder.listing_sha256}`;
  return { ...bareChange(folder.path, 'added', detail), changed_at };
}

/** A change of something that has no content here, at an unknown time. */
export function bareChange(path: string, kind: RawChange['kind'], detail: string): RawChange {
  return { path, kind, before_sha256: null, after_sha256: null, resolved_path: null, changed_at: null, detail };
}

export function deleted(entry: ManifestEntry, changed_at: string | null): RawChange {
  return {
    path: entry.path,
    kind: 'deleted',
    before_sha256: entry.sha256 ?? null,
    after_sha256: null,
    ...sides(entry, undefined),
    resolved_path: entry.outside ?? null,
    changed_at,
    detail: entry.type === 'symlink' ? `link to ${entry.target ?? ''}` : null,
  };
}

/** Compares the facts of a repository; `changedAt` returns the time of a change or removal. */
export function compareGit(
  before: ReadonlyMap<string, GitFact>,
  after: ReadonlyMap<string, GitFact>,
  changedAt: (fact: GitFact, gone: boolean) => string | null,
): readonly RawChange[] {
  const changes: RawChange[] = [];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(path), after.get(path)];
    if (was !== undefined && is !== undefined && was.sha256 === is.sha256 && was.says === is.says) continue;
    const last = is ?? was;
    changes.push({
      path,
      kind: 'git',
      before_sha256: was?.sha256 ?? null,
      after_sha256: is?.sha256 ?? null,
      ...sidesOf({ before_says: was?.says, after_says: is?.says }),
      resolved_path: null,
      changed_at: last === undefined ? null : changedAt(last, is === undefined),
      detail: says(was, is),
    });
  }
  return changes;
}

/** Compares flags. A flag that went with its index entry hides nothing, so it is no change. */
export function compareFlags(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  isTracked: (path: string) => boolean,
): readonly RawChange[] {
  const changes: RawChange[] = [];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(path), after.get(path)];
    if (was === is || (is === undefined && !isTracked(path))) continue;
    const nothing = { before_sha256: null, after_sha256: null, resolved_path: null, changed_at: null };
    const flags = sidesOf({ before_says: was, after_says: is });
    changes.push({
      path,
      kind: 'index_flag',
      ...nothing,
      ...flags,
      detail: `${was ?? 'no flag'} -> ${is ?? 'no flag'}`,
    });
  }
  return changes;
}

/** Returns the fields by which a later look compares a path with the way it was, and was left. */
function sides(before: ManifestEntry | undefined, after: ManifestEntry | undefined): Sides {
  const [was, is] = [recordedMode(before), recordedMode(after)];
  const modes = { before_mode: was === is ? undefined : was, after_mode: is };
  return sidesOf({ ...modes, before_link: before?.target, after_link: after?.target });
}

function recordedMode(entry: ManifestEntry | undefined): string | undefined {
  return entry?.sha256 === undefined || process.platform === 'win32' ? undefined : modeOf(entry);
}

function says(was: GitFact | undefined, is: GitFact | undefined): string {
  if (was === undefined) return `new${is?.says === undefined || is.says === '' ? '' : `: ${is.says}`}`;
  if (is === undefined) return `gone${was.says === '' ? '' : `: ${was.says}`}`;
  return was.says === is.says ? 'other content' : `${was.says} -> ${is.says}`;
}

function nowUnreadable(
  before: ManifestEntry,
  after: ManifestEntry,
  base: Omit<RawChange, 'kind' | 'detail'>,
): RawChange {
  const kind = before.size === after.size && before.mtime_ms === after.mtime_ms ? 'mode_changed' : 'modified';
  return { ...base, kind, detail: `can no longer be read (${after.problem ?? 'unknown'})` };
}

function modeChange(before: ManifestEntry, after: ManifestEntry): string | null {
  const [was, is] = [modeOf(before), modeOf(after)];
  return was === is ? null : `mode ${was} -> ${is}`;
}

/** Says where the entry lies outside the workspace, or where a link leads. */
function leadsTo(entry: ManifestEntry): string | null {
  return entry.outside ?? entry.resolved ?? null;
}

function unreadNote(entry: ManifestEntry): string | null {
  return entry.problem === undefined ? null : `not read (${entry.problem})`;
}
