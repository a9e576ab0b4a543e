import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RawChange } from '../core/observation/change';
import { changeTime, isoOf, type GitFact } from './gitFacts';
import { fetchedTags } from './gitFetched';
import { added, compareEntries, compareFlags, compareGit, deleted, timeOf } from './manifestCompare';
import { readEntry, type ManifestEntry } from './manifestEntry';
import { entryOf, keyOf, type StoredManifest } from './manifestFile';
import { nativeOf } from './manifestNames';
import { scan, scanFlags, scanGit, type ScanReport, type ScanRequest } from './manifestScan';
import { isInside, relativeInside } from './manifestWalk';

export interface Difference {
  readonly changes: readonly RawChange[];
  readonly report: ScanReport;
  /** Tags that a fetch brought and that are no changes for that reason. */
  readonly fetched: readonly string[];
}

/** Reads the workspace again and says what is not as the baseline has it. Consumes `baseline.entries`. */
export async function findDifference(request: ScanRequest, baseline: StoredManifest): Promise<Difference> {
  const times = new FolderTimes(request.root, BigInt(baseline.header.started_ns));
  const changes: RawChange[] = [];
  const unknown: ManifestEntry[] = [];
  const report = await scan(request, async (entry) => {
    const line = baseline.entries.get(keyOf(entry));
    if (line === undefined) {
      unknown.push(entry);
      return;
    }
    baseline.entries.delete(keyOf(entry));
    const before = entryOf(line);
    const change = compareEntries(before, entry);
    if (change === null) return;
    const after = isHalfTold(before, entry) ? await wholeTold(request, before, entry) : entry;
    const settled =
      after === entry
        ? change
        : after === null
          ? deleted(before, times.ofDeleted(before))
          : compareEntries(before, after);
    if (settled !== null) changes.push(settled);
  });
  for (const entry of unknown) {
    // Git lists other files of a left-out folder once its ignore rules have changed: they were there before.
    const wasThere =
      isInside(entry.path, report.skipped) && BigInt(entry.ctime_ns) < BigInt(baseline.header.started_ns);
    if (!wasThere) changes.push(added(entry, times.ofAdded(entry)));
  }
  changes.push(...(await missing(request, baseline, report, times)));
  changes.push(...(await closed(request, baseline, report)));
  const git = await gitChanges(request, baseline, report);
  changes.push(...git.changes, ...indexChanges(request, baseline, report), ...overflowing(report));
  changes.sort((left, right) =>
    left.path < right.path ? -1 : left.path > right.path ? 1 : left.kind < right.kind ? -1 : 1,
  );
  return { changes, report, fetched: git.fetched };
}

/** Other content, and the time of the old: a file system empties a file before it tells the time of that. */
function isHalfTold(before: ManifestEntry, after: ManifestEntry): boolean {
  return before.sha256 !== after.sha256 && before.inode === after.inode && before.ctime_ns === after.ctime_ns;
}

/** Looks again until the time is told as well; one that stays as it was is left so. Null when the file went meanwhile. */
async function wholeTold(
  request: ScanRequest,
  before: ManifestEntry,
  entry: ManifestEntry,
): Promise<ManifestEntry | null> {
  const native = entry.outside ?? nativeOf(request.root, entry.path, entry.raw);
  const { fresh_since_ns, large_file_bytes } = request;
  for (const wait of [1, 5, 20, 50]) {
    await sleep(wait);
    const found = await readEntry(native, entry.path, { known: null, fresh_since_ns, large_file_bytes });
    if (found === null) return null;
    if (isHalfTold(before, found)) continue;
    const { raw, outside, resolved } = entry;
    return { ...(raw && { raw }), ...(outside && { outside }), ...(resolved && { resolved }), ...found };
  }
  return entry;
}

/** Entries of the baseline that were not met: gone, or in a place that is not listed any more. */
async function missing(
  request: ScanRequest,
  baseline: StoredManifest,
  report: ScanReport,
  times: FolderTimes,
): Promise<readonly RawChange[]> {
  const unreadable = new Set(report.unreadable.map((found) => found.path));
  const changes: RawChange[] = [];
  for (const line of baseline.entries.values()) {
    const before = entryOf(line);
    if (unreadable.has('') || isInside(before.path, unreadable)) continue;
    if (before.outside === undefined && isInside(before.path, report.skipped)) {
      const { fresh_since_ns, large_file_bytes } = request;
      const native = nativeOf(request.root, before.path, before.raw);
      const after = await readEntry(native, before.path, { known: before, fresh_since_ns, large_file_bytes });
      const change = after === null ? null : compareEntries(before, after);
      if (change !== null) changes.push(change);
      if (after !== null) continue;
    }
    changes.push(deleted(before, times.ofDeleted(before)));
  }
  return changes;
}

/** Folders that could be read before and cannot now: what is in them is unknown, which is a change by itself. */
async function closed(
  request: ScanRequest,
  baseline: StoredManifest,
  report: ScanReport,
): Promise<readonly RawChange[]> {
  const changes: RawChange[] = [];
  for (const found of report.unreadable) {
    if (baseline.unreadable.has(found.path)) continue;
    const folder = path.join(request.root, found.path);
    const stats = await lstat(folder).catch(() => null);
    if (stats?.isDirectory() !== true) continue;
    const nothing = { before_sha256: null, after_sha256: null, resolved_path: null };
    const detail = `folder can no longer be read (${found.code})`;
    changes.push({
      path: found.path === '' ? '.' : found.path,
      kind: 'mode_changed',
      ...nothing,
      changed_at: changeTime(folder),
      detail,
    });
  }
  return changes;
}

async function gitChanges(request: ScanRequest, baseline: StoredManifest, report: ScanReport) {
  const after = new Map((await scanGit(request, report)).map((fact) => [fact.path, fact] as const));
  const { repository } = request;
  const newTags = [...after.values()].filter(
    (fact) => fact.path.startsWith('.git/refs/tags/') && !baseline.git.has(fact.path),
  );
  const fetched =
    repository === null || newTags.length === 0
      ? new Set<string>()
      : await fetchedTags(repository, newTags, isoOf(baseline.header.started_ns));
  for (const tag of fetched) after.delete(tag);
  const goneAt = (fact: GitFact): string => {
    if (repository === null || !fact.path.startsWith('.git/')) return changeTime(path.join(request.root, fact.path));
    const part = fact.path.slice('.git/'.length);
    return changeTime(path.join(part === 'HEAD' ? repository.gitDir : repository.commonDir, part));
  };
  return { changes: compareGit(baseline.git, after, goneAt), fetched: [...fetched].sort() };
}

function indexChanges(request: ScanRequest, baseline: StoredManifest, report: ScanReport): readonly RawChange[] {
  if (!baseline.header.index) return [];
  const nothing = { before_sha256: null, after_sha256: null, resolved_path: null, changed_at: null };
  if (request.index === null)
    return [{ path: '.git', kind: 'index_flag', ...nothing, detail: 'the repository is gone' }];
  if (!request.index.ok) {
    return [
      {
        path: '.git/index',
        kind: 'index_flag',
        ...nothing,
        detail: `git can no longer read the index: ${request.index.reason}`,
      },
    ];
  }
  const tracked = new Set(request.index.tracked.map((listed) => listed.path));
  return compareFlags(baseline.flags, scanFlags(request, report), (file) => tracked.has(file));
}

function overflowing(report: ScanReport): readonly RawChange[] {
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

/** When a path appeared or went: neither is written in a file that was moved or is gone. */
class FolderTimes {
  private readonly known = new Map<string, string>();

  constructor(
    private readonly root: string,
    private readonly startedNs: bigint,
  ) {}

  /** A file in a folder that was moved here keeps its own time; the moved folder has the real one. */
  ofAdded(entry: ManifestEntry): string | null {
    const own = timeOf(entry);
    if (own === null || BigInt(entry.ctime_ns) >= this.startedNs) return own;
    const started = isoOf(this.startedNs.toString());
    for (
      let folder = path.dirname(this.absolute(entry));
      relativeInside(this.root, folder) !== null;
      folder = path.dirname(folder)
    ) {
      const time = this.of(folder);
      if (time >= started) return time;
    }
    return own;
  }

  ofDeleted(entry: ManifestEntry): string {
    return this.of(path.dirname(this.absolute(entry)));
  }

  private absolute(entry: ManifestEntry): string {
    return entry.outside ?? path.join(this.root, entry.path);
  }

  private of(folder: string): string {
    const known = this.known.get(folder) ?? changeTime(folder);
    this.known.set(folder, known);
    return known;
  }
}
