import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, readEntry, type ManifestEntry, type NativePath, type ReadOptions } from './manifestEntry';
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
}

export interface WalkReport {
  /** Folders that were left out. */
  readonly skipped: string[];
  readonly unreadable: { readonly path: string; readonly code: string }[];
  /** `.git` folders below the root, whose facts are read elsewhere. */
  readonly nestedGit: string[];
  /** Links that lead out of the workspace. */
  readonly outside: { readonly path: string; readonly target: string }[];
  readonly large: string[];
}

interface Folder {
  readonly native: NativePath;
  readonly path: string;
  /** True below a task or forbidden path: nothing is left out. */
  readonly whole: boolean;
  /** True inside a repository of its own, whose ignore rules the outer git does not know. */
  readonly nested: boolean;
}

/**
 * Reports everything in the workspace but folders, in batches, in one order. What vanishes or cannot be read
 * in between is a fact in the report. No link is followed; `.git` is never entered.
 */
export async function walk(
  request: WalkRequest,
  onEntry: (entry: ManifestEntry) => Promise<void> | void,
): Promise<WalkReport> {
  const report: WalkReport = { skipped: [], unreadable: [], nestedGit: [], outside: [], large: [] };
  const stack: Folder[] = [{ native: request.root, path: '', whole: request.always.includes('.'), nested: false }];
  const seen = new Set<string>();
  const files = new Batch(request, report, async (entry) => {
    if (seen.has(entry.path)) return;
    if (entry.raw !== undefined || request.always.length > 0) seen.add(entry.path);
    await onEntry(entry);
  });
  const entered = new Set<string>();
  const enter = async (start: Folder): Promise<void> => {
    stack.push(start);
    for (let folder = stack.pop(); folder !== undefined; folder = stack.pop()) {
      if (entered.has(folder.path)) continue;
      entered.add(folder.path);
      await enterOne(request, report, folder, stack, files);
    }
  };
  const [top] = stack.splice(0);
  if (top !== undefined) await enter(top);
  for (const skipped of [...report.skipped]) {
    for (const start of await startsWithin(request, skipped)) {
      if (start.isFolder) await enter({ native: start.native, path: start.path, whole: true, nested: false });
      else await files.add(start.native, start.path);
    }
  }
  await files.flush();
  return report;
}

/** One file that another source named: git, or an earlier manifest. */
export async function readListed(request: WalkRequest, relative: string, raw?: string): Promise<ManifestEntry | null> {
  const entry = await readEntry(nativeOf(request.root, relative, raw), relative, readOptions(request, relative));
  return entry === null ? null : { ...entry, ...(raw === undefined ? {} : { raw }), listed: true };
}

async function enterOne(
  request: WalkRequest,
  report: WalkReport,
  folder: Folder,
  stack: Folder[],
  files: Batch,
): Promise<void> {
  let names;
  try {
    names = await folderNames(folder.native);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') report.unreadable.push({ path: folder.path, code: errorCode(error) });
    return;
  }
  const nested = folder.nested || (folder.path !== '' && names.some(({ name }) => name === '.git'));
  const folders: Folder[] = [];
  for (const { name, bytes, isFolder } of names) {
    const relative = folder.path === '' ? name : `${folder.path}/${name}`;
    const native = joinNative(folder.native, name, bytes);
    if (request.excluded.includes(relative)) continue;
    if (!isFolder) {
      await files.add(native, relative);
      continue;
    }
    if (name === '.git') {
      if (folder.path !== '') report.nestedGit.push(relative);
      continue;
    }
    const whole = folder.whole || request.always.some((path) => path === relative);
    if (!whole && (nested ? dependencyFolders : request.leftOut).has(name)) report.skipped.push(relative);
    else folders.push({ native, path: relative, whole, nested });
  }
  stack.push(...folders.reverse());
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
  if (relative === '' || relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative)) return null;
  return relative.split(path.sep).join('/');
}

/** Reads many files at once, a bounded number at a time, and reports them in the order they were found. */
class Batch {
  private readonly waiting: { readonly native: NativePath; readonly path: string }[] = [];

  constructor(
    private readonly request: WalkRequest,
    private readonly report: WalkReport,
    private readonly onEntry: (entry: ManifestEntry) => Promise<void>,
  ) {}

  async add(native: NativePath, relative: string): Promise<void> {
    this.waiting.push({ native, path: relative });
    if (this.waiting.length >= batchSize) await this.flush();
  }

  async flush(): Promise<void> {
    const batch = this.waiting.splice(0);
    const entries = await mapBounded(batch, readsAtOnce, async (file) => this.read(file.native, file.path));
    for (const entry of entries) {
      if (entry === null) continue;
      if (entry.problem === 'too_large') this.report.large.push(entry.path);
      else if (entry.problem !== undefined) this.report.unreadable.push({ path: entry.path, code: entry.problem });
      if (entry.resolved !== undefined && path.isAbsolute(entry.resolved)) {
        this.report.outside.push({ path: entry.path, target: entry.resolved });
      }
      await this.onEntry(entry);
    }
  }

  private async read(native: NativePath, relative: string): Promise<ManifestEntry | null> {
    const entry = await readEntry(native, relative, readOptions(this.request, relative));
    if (entry === null) return null;
    const raw = rawOf(this.request.root, native);
    const named = raw === undefined ? entry : { ...entry, raw };
    if (named.type !== 'symlink') return named;
    const resolved = await resolveLink(this.request.root, native, named.target ?? '');
    return { ...named, resolved };
  }
}

const batchSize = 512;
const readsAtOnce = 16;

function readOptions(request: WalkRequest, relative: string): ReadOptions {
  const { fresh_since_ns, large_file_bytes } = request;
  return { known: request.known(relative), fresh_since_ns, large_file_bytes };
}

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
