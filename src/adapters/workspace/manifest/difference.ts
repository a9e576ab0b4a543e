import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RawChange } from '../../../core/observation/change';
import { isDeskFile } from '../../../base/leftovers';
import { changeTime } from '../../git/files';
import type { Manifest } from './manifest';
import { added, addedFolder, compareEntries, deleted } from './compare';
import { keyOf, readEntry, type ManifestEntry } from '../../files/entry';
import { gitDifference, type GitDifference } from './gitDifference';
import { look, type LookReport, type LookRequest } from './look';
import { nativeOf } from '../../files/names';
import { FolderTimes, isAfter } from './times';
import { isInside } from './walk';

export interface Difference extends Omit<GitDifference, 'changes'> {
  readonly changes: readonly RawChange[];
  readonly report: LookReport;
}

/** Reads the workspace again and returns what differs from the baseline. */
export async function findDifference(
  request: Omit<LookRequest, 'before' | 'purpose'>,
  baseline: Manifest,
): Promise<Difference> {
  const { put, gone, facts, repositories, report } = await look({
    ...request,
    before: baseline,
    purpose: 'difference',
  });
  const times = new FolderTimes(request.root, baseline.header.started_ms);
  const changes: RawChange[] = [];
  for (const entry of put) {
    const before = baseline.entries.get(keyOf(entry));
    // A file in a left-out folder may be older than the baseline, because changed ignore rules make git list others.
    const wasThere = isInside(entry.path, report.skipped) && !isAfter(entry.ctime_ms, baseline.header.started_ms);
    if (before === undefined && !wasThere) changes.push(added(entry, times.ofAdded(entry)));
    const change = before === undefined ? null : await changeOf(request, before, entry, times);
    if (change !== null) changes.push(change);
  }
  for (const folder of report.newFolders) changes.push(addedFolder(folder, times.ofAdded(folder)));
  changes.push(...(await missing(request, baseline, gone, report, times)));
  changes.push(...(await closed(request, baseline, report)));
  changes.push(...overflowing(report));
  const { changes: ofGit, ...git } = await gitDifference(request, baseline, facts, repositories, times);
  changes.push(...ofGit);
  changes.sort((left, right) =>
    left.path < right.path ? -1 : left.path > right.path ? 1 : left.kind < right.kind ? -1 : 1,
  );
  const { index } = request;
  const isLeft = ({ path: at, kind }: RawChange): boolean =>
    index?.ok === true && kind !== 'git' && isDeskFile(at) && index.isTracked(at);
  return { changes: changes.map((one) => (isLeft(one) ? { ...one, tracked: true } : one)), report, ...git };
}

async function changeOf(
  request: Pick<LookRequest, 'root' | 'large_file_bytes'>,
  before: ManifestEntry,
  entry: ManifestEntry,
  times: FolderTimes,
): Promise<RawChange | null> {
  const change = compareEntries(before, entry);
  if (change === null) return null;
  // It may have come with a moved folder.
  if (before.inode !== entry.inode) return { ...change, changed_at: times.ofAdded(entry) };
  if (!hasStaleTimestamp(before, entry)) return change;
  const after = await rereadUntilSettled(request, before, entry);
  return after === null ? deleted(before, times.ofDeleted(before)) : compareEntries(before, after);
}

/**
 * Returns whether content is new while the change time is old. That occurs, because a file system
 * may show a truncated file before it updates the time.
 */
function hasStaleTimestamp(before: ManifestEntry, after: ManifestEntry): boolean {
  return before.sha256 !== after.sha256 && before.inode === after.inode && before.ctime_ms === after.ctime_ms;
}

/** Rereads the file until its time is updated too, for at most 76 ms; null: it was deleted meanwhile. */
async function rereadUntilSettled(
  request: Pick<LookRequest, 'root' | 'large_file_bytes'>,
  before: ManifestEntry,
  entry: ManifestEntry,
): Promise<ManifestEntry | null> {
  const native = entry.outside ?? nativeOf(request.root, entry.path, entry.raw);
  for (const wait of [1, 5, 20, 50]) {
    await sleep(wait);
    const found = await readEntry(native, entry.path, request);
    if (found === null) return null;
    if (hasStaleTimestamp(before, found)) continue;
    const { raw, outside, resolved } = entry;
    return { ...(raw && { raw }), ...(outside && { outside }), ...(resolved && { resolved }), ...found };
  }
  return entry;
}

/** Entries of the baseline that the walk did not find: deleted, or in a folder that git no longer lists. */
async function missing(
  request: Pick<LookRequest, 'root' | 'large_file_bytes'>,
  baseline: Manifest,
  gone: ReadonlySet<string>,
  report: LookReport,
  times: FolderTimes,
): Promise<readonly RawChange[]> {
  const unreadable = new Set(report.unreadable.map((found) => found.path));
  const changes: RawChange[] = [];
  for (const key of gone) {
    const before = baseline.entries.get(key);
    if (before === undefined || unreadable.has('') || isInside(before.path, unreadable)) continue;
    if (before.outside === undefined && isInside(before.path, report.skipped)) {
      const after = await readEntry(nativeOf(request.root, before.path, before.raw), before.path, request);
      const change = after === null ? null : compareEntries(before, after);
      if (change !== null) changes.push(change);
      if (after !== null) continue;
    }
    changes.push(deleted(before, times.ofDeleted(before)));
  }
  return changes;
}

/** Reports folders that became unreadable, because their content is unknown. */
async function closed(
  request: Pick<LookRequest, 'root'>,
  baseline: Manifest,
  report: LookReport,
): Promise<readonly RawChange[]> {
  const changes: RawChange[] = [];
  for (const found of report.unreadable) {
    if (baseline.facts.unreadable.has(found.path)) continue;
    const folder = path.join(request.root, found.path);
    const stats = await lstat(folder).catch(() => null);
    if (stats?.isDirectory() !== true) continue;
    changes.push({
      path: found.path === '' ? '.' : found.path,
      kind: 'mode_changed',
      before_sha256: null,
      after_sha256: null,
      resolved_path: null,
      changed_at: changeTime(folder),
      detail: `folder can no longer be read (${found.code})`,
    });
  }
  return changes;
}

function overflowing(report: LookReport): readonly RawChange[] {
  return report.overflowing.map(({ path, target }) => ({
    path,
    kind: 'modified',
    before_sha256: null,
    after_sha256: null,
    resolved_path: target,
    changed_at: null,
    detail: 'leads to a folder that holds far more than before',
  }));
}
