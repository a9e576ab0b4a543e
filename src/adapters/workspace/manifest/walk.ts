import { lstatSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { shownFrom, wayInside } from '../../files/inside';
import { gitDirOf } from '../../git/locate';
import {
  errorCode,
  isAsKnown,
  readEntry,
  type ManifestEntry,
  type NativePath,
  type FolderName,
  folderNames,
  joinNative,
  nativeOf,
  rawOf,
} from '../../files/entry';
import { jjFolder } from '../../files/leftOutFolders';

export interface WalkRequest {
  /** Real absolute path of the workspace. */
  readonly root: string;
  /** Decides the fate of a folder; not called below a path that is always walked. */
  readonly folder: (path: string, name: string, nested: boolean) => FolderFate;
  /** Relative POSIX paths that are always walked: task paths and forbidden paths. */
  readonly always: readonly string[];
  /** Relative POSIX paths that are never entered. */
  readonly excluded: readonly string[];
  /** The entry of a path in an earlier manifest. */
  readonly known: (path: string) => ManifestEntry | undefined;
  readonly fresh_since_ms: number;
  readonly large_file_bytes: number;
  /** The walk ends after this many files and folders. */
  readonly limit?: number;
}

/** `later`: neither entered nor left out yet; listed in the report. */
export type FolderFate = 'enter' | 'leave_out' | 'later';

export interface WalkReport {
  /** Folders that were left out. */
  readonly skipped: Set<string>;
  /** Entries that were still read inside left-out folders. */
  readonly insideSkipped: Set<string>;
  later: Folder[];
  readonly unreadable: { readonly path: string; readonly code: string }[];
  /** The `.git` folders of repositories; other code reads their facts. */
  readonly repositories: string[];
  /** Links that lead out of the workspace. */
  readonly outside: { readonly path: string; readonly target: string }[];
  readonly large: string[];
  /** Permission bits of the folders that were entered. */
  readonly modes: Map<string, number>;
  limited: boolean;
  /** The reason why git could not list untracked files in left-out folders; null: it could, or need not. */
  unlisted: string | null;
}

export interface Folder {
  readonly native: NativePath;
  readonly path: string;
  /** Below a task path or forbidden path, where nothing is left out. */
  readonly whole: boolean;
  /** Inside a nested repository, whose ignore rules the outer git does not know. */
  readonly nested: boolean;
}

/** `same`: the file was not read, because its stat is that of the earlier manifest. */
export type OnEntry = (entry: ManifestEntry, same: boolean) => void;

export interface Walk {
  readonly request: WalkRequest;
  readonly report: WalkReport;
  readonly onEntry: OnEntry;
}

export function emptyReport(): WalkReport {
  return {
    skipped: new Set(),
    insideSkipped: new Set(),
    later: [],
    unreadable: [],
    repositories: [],
    outside: [],
    large: [],
    modes: new Map(),
    limited: false,
    unlisted: null,
  };
}

/**
 * Reports everything below a folder except folders, always in the same order. Puts into the report what vanishes or
 * cannot be read. Follows no link and never enters the `.git` of a repository.
 */
export async function walkFrom(walk: Walk, start: Folder): Promise<void> {
  const { limit } = walk.request;
  const stack = [start];
  const entered = new Set<string>();
  let found = 0;
  let read = 0;
  for (let folder = stack.pop(); folder !== undefined; folder = stack.pop()) {
    if (entered.has(folder.path)) continue;
    entered.add(folder.path);
    const inner = await enter(walk, folder);
    stack.push(...inner.folders.reverse());
    found += inner.files.length + 1;
    if (limit !== undefined && found > limit) {
      walk.report.limited = true;
      return;
    }
    for (const file of inner.files) {
      await readOne(walk, file);
      if ((read += 1) % filesPerTurn === 0) await nextTurn();
    }
  }
}

/** Reads files that git or an earlier manifest named; skips absent ones. */
export async function readSome(walk: Walk, files: readonly NamedFile[]): Promise<void> {
  for (const [index, file] of files.entries()) {
    await readOne(walk, file);
    if (index % filesPerTurn === filesPerTurn - 1) await nextTurn();
  }
}

/** Reads the always-walked paths inside folders that were not entered, the links on the way, and their targets. */
export async function walkStartsWithin({ request, report, onEntry }: Walk, folders: Iterable<string>): Promise<void> {
  const once: OnEntry = (entry, same) => {
    if (report.insideSkipped.has(entry.path)) return;
    report.insideSkipped.add(entry.path);
    onEntry(entry, same);
  };
  const walk = { request, report, onEntry: once };
  for (const folder of [...folders]) {
    for (const { native, path: relative, isFolder } of await startsWithin(request, folder)) {
      if (isFolder) await walkFrom(walk, { native, path: relative, whole: true, nested: false });
      else await readOne(walk, { native, path: relative });
    }
  }
}

/** Returns whether a folder above the path is one of these. */
export function isInside(relative: string, folders: ReadonlySet<string>): boolean {
  if (folders.size === 0) return false;
  for (let slash = relative.lastIndexOf('/'); slash !== -1; slash = relative.lastIndexOf('/', slash - 1)) {
    if (folders.has(relative.slice(0, slash))) return true;
  }
  return false;
}

interface NamedFile {
  readonly native: NativePath;
  readonly path: string;
}

/** Files after which other work on this thread gets its turn; they take some milliseconds. */
const filesPerTurn = 256;

async function enter({ request, report }: Walk, folder: Folder) {
  const found: { folders: Folder[]; files: NamedFile[] } = { folders: [], files: [] };
  let names;
  try {
    names = folderNames(folder.native);
    report.modes.set(folder.path, lstatSync(folder.native).mode & 0o7777);
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes(errorCode(error)))
      report.unreadable.push({ path: folder.path, code: errorCode(error) });
    return found;
  }
  const nested = folder.nested || (folder.path !== '' && names.some(({ name }) => name === '.git'));
  // The name `.git` stands for a folder that git takes for a repository by itself, as a bare one.
  if (folder.path !== '' && typeof folder.native === 'string' && (await isBare(folder.native, names)))
    report.repositories.push(`${folder.path}/.git`);
  for (const { name, bytes, isFolder } of names) {
    const relative = folder.path === '' ? name : `${folder.path}/${name}`;
    if (request.excluded.includes(relative)) continue;
    const native = joinNative(folder.native, name, bytes);
    const isRepository = name === '.git' && typeof native === 'string' && (await gitDirOf(native)) !== null;
    if (isRepository) report.repositories.push(relative);
    if (!isFolder) {
      found.files.push({ native, path: relative });
    } else if (!isRepository) {
      // A folder of jj does not belong to an approved folder around it.
      const whole = (folder.whole && name !== jjFolder) || request.always.includes(relative);
      const inner = { native, path: relative, whole, nested };
      const fate = inner.whole ? 'enter' : request.folder(relative, name, nested);
      if (fate === 'enter') found.folders.push(inner);
      else if (fate === 'later') report.later.push(inner);
      else report.skipped.add(relative);
    }
  }
  return found;
}

/** Git's own rule of a folder: HEAD, objects and refs, whatever its name is. Programs that its config names run there. */
async function isBare(folder: string, names: readonly FolderName[]): Promise<boolean> {
  if (!names.some(({ name, isFolder }) => name === 'HEAD' && !isFolder)) return false;
  return (
    ['objects', 'refs'].every((part) => names.some(({ name }) => name === part)) && (await gitDirOf(folder)) !== null
  );
}

async function startsWithin(request: WalkRequest, folder: string) {
  const starts: (NamedFile & { readonly isFolder: boolean })[] = [];
  for (const relative of request.always.filter((path) => path.startsWith(`${folder}/`))) {
    const native = nativeOf(request.root, relative, undefined) as string;
    // Folders on the way are no entries, but links are.
    for (let above = path.posix.dirname(relative); above !== folder; above = path.posix.dirname(above))
      starts.push({ native: path.join(request.root, above), path: above, isFolder: false });
    try {
      const real = await realpath(native);
      const isFolder = (await stat(real)).isDirectory();
      const realRelative = wayInside(request.root, real);
      if (real !== native) starts.push({ native, path: relative, isFolder: false });
      if (realRelative) starts.push({ native: real, path: realRelative, isFolder });
    } catch (error) {
      // Absent, or a dangling link, which is still an entry.
      if (errorCode(error) !== 'ENOTDIR') starts.push({ native, path: relative, isFolder: false });
    }
  }
  return starts;
}

async function readOne({ request, report, onEntry }: Walk, file: NamedFile): Promise<void> {
  const known = request.known(file.path);
  if (known !== undefined && isStill(request, file.native, known)) {
    onEntry(known, true);
    return;
  }
  const entry = await readNamed(request, file.native, file.path);
  if (entry === null) return;
  if (entry.problem === 'too_large') report.large.push(entry.path);
  else if (entry.problem !== undefined) report.unreadable.push({ path: entry.path, code: entry.problem });
  if (entry.resolved !== undefined && path.isAbsolute(entry.resolved))
    report.outside.push({ path: entry.path, target: entry.resolved });
  onEntry(entry, false);
}

function isStill(request: WalkRequest, native: NativePath, known: ManifestEntry): boolean {
  try {
    const stats = lstatSync(native, { throwIfNoEntry: false });
    return stats !== undefined && isAsKnown(known, stats, request.fresh_since_ms);
  } catch {
    return false; // reading it reports why
  }
}

async function readNamed(request: WalkRequest, native: NativePath, relative: string): Promise<ManifestEntry | null> {
  const entry = await readEntry(native, relative, request);
  if (entry === null) return null;
  const raw = rawOf(request.root, native);
  const named = raw === undefined ? entry : { ...entry, raw };
  if (named.type !== 'symlink') return named;
  return { ...named, resolved: await resolveLink(request.root, native, named.target ?? '') };
}

/** Returns where a link leads; a dangling one by its text, from the folder that it really is in. */
async function resolveLink(root: string, native: NativePath, target: string): Promise<string> {
  let real: string;
  try {
    real = await realpath(native);
  } catch {
    // A dangling or circular link still names a place.
    const link = native.toString();
    const folder = await realpath(path.dirname(link)).catch(() => path.dirname(link));
    real = path.resolve(folder, target);
  }
  return shownFrom(root, real);
}
