import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gitDirOf } from './gitLocate';
import { errorCode, readEntry, type ManifestEntry, type NativePath } from './manifestEntry';
import { dependencyFolders } from './manifestFolders';
import { folderNames, joinNative, nativeOf, rawOf } from './manifestNames';

export interface WalkRequest {
  /** Real absolute path of the workspace. */
  readonly root: string;
  /** Folders of these names are left out. */
  readonly leftOut: ReadonlySet<string>;
  /** Relative POSIX paths that are walked whatever their kind: task paths and forbidden paths. */
  readonly always: readonly string[];
  /** Relative POSIX paths never entered. */
  readonly excluded: readonly string[];
  /** What an earlier manifest says of a path. */
  readonly known: (path: string) => ManifestEntry | null;
  readonly fresh_since_ns: bigint;
  readonly large_file_bytes: number;
  /** The walk ends after so many files and folders. */
  readonly limit?: number;
}

export interface WalkReport {
  /** Folders that were left out. */
  readonly skipped: Set<string>;
  /** What was found inside left-out folders all the same. */
  readonly insideSkipped: Set<string>;
  readonly unreadable: { readonly path: string; readonly code: string }[];
  /** `.git` folders of repositories, whose facts are read elsewhere. */
  readonly repositories: string[];
  /** Links that lead out of the workspace. */
  readonly outside: { readonly path: string; readonly target: string }[];
  readonly large: string[];
  limited: boolean;
  /** Why git could not list untracked files in left-out folders; null when it could or need not. */
  unlisted: string | null;
}

interface Folder {
  readonly native: NativePath;
  readonly path: string;
  /** True below a task or forbidden path: nothing is left out. */
  readonly whole: boolean;
  /** True inside a repository of its own, whose ignore rules the outer git does not know. */
  readonly nested: boolean;
}

type OnEntry = (entry: ManifestEntry) => Promise<void> | void;

/**
 * Reports everything in the workspace but folders, in one order. What vanishes or cannot be read in between is a
 * fact in the report. No link is followed; the `.git` of a repository is never entered.
 */
export async function walk(request: WalkRequest, onEntry: OnEntry): Promise<WalkReport> {
  const report: WalkReport = {
    skipped: new Set(),
    insideSkipped: new Set(),
    unreadable: [],
    repositories: [],
    outside: [],
    large: [],
    limited: false,
    unlisted: null,
  };
  await walkFrom(
    request,
    report,
    { native: request.root, path: '', whole: request.always.includes('.'), nested: false },
    onEntry,
  );
  const onInside = async (entry: ManifestEntry): Promise<void> => {
    if (report.insideSkipped.has(entry.path)) return;
    report.insideSkipped.add(entry.path);
    await onEntry(entry);
  };
  for (const skipped of [...report.skipped]) {
    for (const { native, path: relative, isFolder } of await startsWithin(request, skipped)) {
      if (isFolder) await walkFrom(request, report, { native, path: relative, whole: true, nested: false }, onInside);
      else await readSome(request, report, [{ native, path: relative }], onInside);
    }
  }
  return report;
}

/** Files that another source named, git or an earlier manifest; what is not there is not reported. */
export async function readSome(
  request: WalkRequest,
  report: WalkReport,
  files: readonly { readonly native: NativePath; readonly path: string }[],
  onEntry: OnEntry,
): Promise<void> {
  for (let start = 0; start < files.length; start += batchSize) {
    const batch = files.slice(start, start + batchSize);
    await nextTurn();
    const entries = await mapBounded(batch, readsAtOnce, async (file) => readNamed(request, file.native, file.path));
    for (const entry of entries) {
      if (entry === null) continue;
      if (entry.problem === 'too_large') report.large.push(entry.path);
      else if (entry.problem !== undefined) report.unreadable.push({ path: entry.path, code: entry.problem });
      if (entry.resolved !== undefined && path.isAbsolute(entry.resolved)) {
        report.outside.push({ path: entry.path, target: entry.resolved });
      }
      await onEntry(entry);
    }
  }
}

/** True when a folder above the path was left out. */
export function isInside(relative: string, folders: ReadonlySet<string>): boolean {
  for (let slash = relative.lastIndexOf('/'); slash !== -1; slash = relative.lastIndexOf('/', slash - 1)) {
    if (folders.has(relative.slice(0, slash))) return true;
  }
  return false;
}

async function walkFrom(request: WalkRequest, report: WalkReport, start: Folder, onEntry: OnEntry): Promise<void> {
  const stack = [start];
  const entered = new Set<string>();
  let files: { native: NativePath; path: string }[] = [];
  let found = 0;
  for (let folder = stack.pop(); folder !== undefined; folder = stack.pop()) {
    if (entered.has(folder.path)) continue;
    entered.add(folder.path);
    if (entered.size % 64 === 0) await nextTurn();
    const inner = await enter(request, report, folder);
    stack.push(...inner.folders.reverse());
    files.push(...inner.files);
    found += inner.files.length + 1;
    if (request.limit !== undefined && found > request.limit) {
      report.limited = true;
      break;
    }
    if (files.length >= batchSize) {
      await readSome(request, report, files, onEntry);
      files = [];
    }
  }
  await readSome(request, report, files, onEntry);
}

async function enter(request: WalkRequest, report: WalkReport, folder: Folder) {
  const found: { folders: Folder[]; files: { native: NativePath; path: string }[] } = { folders: [], files: [] };
  let names;
  try {
    names = folderNames(folder.native);
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes(errorCode(error)))
      report.unreadable.push({ path: folder.path, code: errorCode(error) });
    return found;
  }
  const nested = folder.nested || (folder.path !== '' && names.some(({ name }) => name === '.git'));
  for (const { name, bytes, isFolder } of names) {
    const relative = folder.path === '' ? name : `${folder.path}/${name}`;
    const native = joinNative(folder.native, name, bytes);
    if (request.excluded.includes(relative)) continue;
    if (!isFolder) {
      found.files.push({ native, path: relative });
    } else if (name === '.git' && typeof native === 'string' && (await gitDirOf(native)) !== null) {
      report.repositories.push(relative);
    } else {
      const whole = folder.whole || request.always.includes(relative);
      if (!whole && (nested ? dependencyFolders : request.leftOut).has(name)) report.skipped.add(relative);
      else found.folders.push({ native, path: relative, whole, nested });
    }
  }
  return found;
}

/** Where inside a left-out folder the always-walked paths are; a link there leads on to the real place. */
async function startsWithin(request: WalkRequest, skipped: string) {
  const starts: { readonly native: NativePath; readonly path: string; readonly isFolder: boolean }[] = [];
  for (const relative of request.always.filter((path) => path.startsWith(`${skipped}/`))) {
    const native = nativeOf(request.root, relative, undefined) as string;
    try {
      const real = await realpath(native);
      const isFolder = (await stat(real)).isDirectory();
      const realRelative = relativeInside(request.root, real);
      if (real !== native) starts.push({ native, path: relative, isFolder: false });
      if (realRelative !== null) starts.push({ native: real, path: realRelative, isFolder });
    } catch (error) {
      // Nothing there, or a link that leads nowhere: the link itself is still an entry.
      if (errorCode(error) !== 'ENOTDIR') starts.push({ native, path: relative, isFolder: false });
    }
  }
  return starts;
}

/** POSIX path relative to the root; null when it lies outside or is the root itself. */
export function relativeInside(root: string, absolute: string): string | null {
  const relative = path.relative(root, absolute);
  if (relative === '' || relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative))
    return null;
  return relative.split(path.sep).join('/');
}

async function readNamed(request: WalkRequest, native: NativePath, relative: string): Promise<ManifestEntry | null> {
  const { fresh_since_ns, large_file_bytes } = request;
  const entry = await readEntry(native, relative, { known: request.known(relative), fresh_since_ns, large_file_bytes });
  if (entry === null) return null;
  const raw = rawOf(request.root, native);
  const named = raw === undefined ? entry : { ...entry, raw };
  if (named.type !== 'symlink') return named;
  return { ...named, resolved: await resolveLink(request.root, native, named.target ?? '') };
}

const batchSize = 512;
const readsAtOnce = 16;

/** Where a link leads, also when nothing is there: then by the text of the link, from the folder it really is in. */
async function resolveLink(root: string, native: NativePath, target: string): Promise<string> {
  let real: string;
  try {
    real = await realpath(native);
  } catch {
    // A dangling or circular link leads where its text says; that nothing is there changes nothing about the place.
    const link = native.toString();
    const folder = await realpath(path.dirname(link)).catch(() => path.dirname(link));
    real = path.resolve(folder, target);
  }
  if (real === root) return '.';
  return relativeInside(root, real) ?? real.split(path.sep).join('/');
}

export async function mapBounded<T, R>(
  items: readonly T[],
  limit: number,
  run: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) results[index] = await run(items[index] as T);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  return results;
}
