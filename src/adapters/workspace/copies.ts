import { hash } from 'node:crypto';
import { closeSync, fstatSync, mkdirSync, openSync, readSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { blobId, canBeAsked, headFiles, type HeadFile } from '../git/blobs';
import type { Repository } from '../git/locate';
import { type ManifestEntry, nativeOf } from '../files/entry';
import { guardedReading } from '../files/opened';

/** Bytes of all copies of one attempt together. */
const copiedAtMost = 10 * 1024 * 1024;

/** The reason why bytes of a baseline are not kept. */
export type NotKept = 'over_limit' | 'changed' | 'unwritable';

export interface CopyRequest {
  /** Real absolute path of the workspace. */
  readonly root: string;
  readonly folder: string;
  readonly repository: Repository | null;
  readonly head: string | null;
  readonly entries: Iterable<ManifestEntry>;
  /** POSIX, relative to the root. */
  readonly paths: readonly string[];
  readonly baseline_sha256: string;
}

/**
 * Copies the files that a task may change, before it runs. Only a copy can show later what the task changed, unless git
 * holds the same bytes. A copy is named by the digest of its bytes, so making it again changes nothing. The bytes are
 * exact, not redacted, because other bytes would be no baseline. They lie in the user's own folder, mode 0600, until
 * `mission clean`.
 */
export class BaselineCopies {
  private mission = '';
  /** Digests of the bytes that the folder has. */
  private copied = new Set<string>();
  private head: string | null = null;
  /** Digests of the files of `head`, by path. A moved file is not among them, because a reader looks at the path. */
  private readonly inGit = new Map<string, string>();

  /** Asks git about all files while these are still being read, for the first baseline of a mission. */
  begin(request: Omit<CopyRequest, 'entries' | 'baseline_sha256'>): Promise<ReadonlyMap<string, HeadFile>> | null {
    return this.mission === request.folder || request.paths.length === 0 ? null : filesOfHead(request);
  }

  async take(request: CopyRequest, begun: Promise<ReadonlyMap<string, HeadFile>> | null = null): Promise<void> {
    if (request.paths.length === 0) return;
    if (this.mission !== request.folder) {
      this.mission = request.folder;
      this.copied = new Set(copiesIn(request.folder));
    }
    if (this.head !== request.head) this.inGit.clear();
    this.head = request.head;
    const wanted = wantedOf(
      request,
      ({ path: file, sha256 }) => this.copied.has(sha256) || this.inGit.get(file) === sha256,
    );
    if (wanted.length === 0) return;
    const inHead = await (begun ?? filesOfHead(request));
    const { copied, lost } = await copy(
      request,
      wanted.filter((entry) => !isSame(entry, inHead.get(entry.path))),
      inHead,
    );
    const elsewhere = new Set([...copied, ...lost.keys()]);
    for (const entry of wanted) if (!elsewhere.has(entry)) this.inGit.set(entry.path, entry.sha256);
    for (const { sha256 } of copied) this.copied.add(sha256);
    if (lost.size > 0) tell(request, lost);
  }
}

/** Returns the reason why a baseline has no copy of a path; null: the note names none. */
export function reasonOf(note: unknown, file: string): NotKept | null {
  const { not_kept } = (note ?? {}) as { readonly not_kept?: unknown };
  if (!Array.isArray(not_kept)) return null;
  const found: unknown = not_kept.find((one: unknown) => (one as { readonly path?: unknown } | null)?.path === file);
  const why = (found as { readonly why?: unknown } | undefined)?.why;
  return why === 'over_limit' || why === 'changed' || why === 'unwritable' ? why : null;
}

/** The name of the note that lists what a baseline has no copy of. */
export function noteName(baseline_sha256: string): string {
  return `${baseline_sha256.toUpperCase()}.json`;
}

type Copied = ManifestEntry & { readonly sha256: string };

/** Takes the smallest files first, so that as many as possible are kept. */
function wantedOf({ entries, paths }: CopyRequest, isHeld: (entry: Copied) => boolean): readonly Copied[] {
  const scopes = paths.map((one) => one.normalize('NFC').toLowerCase());
  const isKept = (name: string): boolean => {
    const key = name.normalize('NFC').toLowerCase();
    return scopes.some((scope) => scope === '.' || key === scope || key.startsWith(`${scope}/`));
  };
  const wanted: Copied[] = [];
  for (const entry of entries) {
    const { type, sha256, outside } = entry;
    if (type !== 'file' || sha256 === undefined || outside !== undefined || !isKept(entry.path)) continue;
    const one = { ...entry, sha256 };
    if (!isHeld(one)) wanted.push(one);
  }
  return wanted.sort((left, right) => left.size - right.size);
}

async function filesOfHead({
  repository,
  head,
  root,
  paths,
}: Omit<CopyRequest, 'entries' | 'baseline_sha256'>): Promise<ReadonlyMap<string, HeadFile>> {
  if (repository === null || head === null) return new Map();
  // Names none, which means all, because a command line is limited.
  const named = paths.includes('.') || paths.length > 200 ? [] : paths;
  const files = await headFiles(repository, root, head, named);
  return new Map([...(files ?? [])].filter(([name]) => canBeAsked(name)));
}

/**
 * Returns whether git last saw this very file there, and its blob is as long. Then no filter or
 * line end made other bytes.
 */
function isSame(entry: ManifestEntry, known: HeadFile | undefined): boolean {
  const same = known?.same;
  if (!same || known.size !== entry.size || same.size !== entry.size) return false;
  const near = (left: number, right: number): boolean => Math.abs(left - right) < 0.001;
  const inode = same.inode === 0 || same.inode === entry.inode % 2 ** 32;
  return inode && near(same.mtime_ms, entry.mtime_ms) && near(same.ctime_ms, entry.ctime_ms);
}

async function copy(
  request: CopyRequest,
  missing: readonly Copied[],
  inHead: ReadonlyMap<string, HeadFile>,
): Promise<{ readonly copied: readonly Copied[]; readonly lost: ReadonlyMap<Copied, NotKept> }> {
  const copied: Copied[] = [];
  const lost = new Map<Copied, NotKept>();
  let [bytesCopied, read] = [0, 0];
  for (const [index, entry] of missing.entries()) {
    if (index % filesPerTurn === filesPerTurn - 1) await nextTurn();
    const known = inHead.get(entry.path);
    const fits = bytesCopied + entry.size <= copiedAtMost;
    // A file as long as its blob may have the same bytes, which only reading shows.
    if ((!fits && known?.size !== entry.size) || read + entry.size > readAtMost) {
      lost.set(entry, 'over_limit');
      continue;
    }
    const bytes = bytesOf(request.root, entry);
    read += entry.size;
    if (bytes === null) lost.set(entry, 'changed');
    else if (known?.size === entry.size && blobId(bytes, known.oid) === known.oid) continue;
    else if (!fits) lost.set(entry, 'over_limit');
    else if (put(request.folder, entry.sha256, bytes)) {
      copied.push(entry);
      bytesCopied += entry.size;
    } else lost.set(entry, 'unwritable');
  }
  return { copied, lost };
}

const filesPerTurn = 256;
/** Bytes that are read to compare files with git's blobs. */
const readAtMost = 5 * copiedAtMost;

/** Null: these are not the bytes of the baseline, whatever link was put on the way. */
function bytesOf(root: string, entry: Copied): Buffer | null {
  let descriptor;
  try {
    descriptor = openSync(nativeOf(root, entry.path, entry.raw), guardedReading);
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size !== entry.size) return null;
    // Reads no more than that, however the file grows meanwhile.
    const bytes = Buffer.allocUnsafe(entry.size);
    for (let filled = 0; filled < bytes.length;) {
      const count = readSync(descriptor, bytes, filled, bytes.length - filled, null);
      if (count === 0) return null;
      filled += count;
    }
    return hash('sha256', bytes, 'hex').toUpperCase() === entry.sha256 ? bytes : null;
  } catch {
    return null; // changed or unreadable since the baseline
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Renames a whole file into place, so that it is never seen half written; a reader compares its digest. */
export function put(folder: string, name: string, bytes: string | Buffer): boolean {
  const whole = path.join(folder, name);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(`${whole}.part`, bytes, { mode: 0o600 });
    renameSync(`${whole}.part`, whole);
    return true;
  } catch {
    return false; // the caller notes it as not kept
  }
}

/** The digest of each copy; empty without the folder. */
function copiesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /^[0-9A-F]{64}$/.test(name));
  } catch {
    return [];
  }
}

/** Writes the note; names only the first thousand. */
function tell({ folder, baseline_sha256 }: CopyRequest, lost: ReadonlyMap<Copied, NotKept>): void {
  const not_kept = [...lost].slice(0, 1000).map(([{ path: file }, why]) => ({ path: file, why }));
  const text = `${JSON.stringify({ schema_version: '1.0.0', not_kept, more: lost.size - not_kept.length })}\n`;
  put(folder, noteName(baseline_sha256), text); // the baseline is valid without the note
}
