import { execFile } from 'node:child_process';
import { lstat, readlink } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { entryShownAs, lookAt } from '../files/entry';
import { searchOutside } from '../files/inside';
import { readOnce } from '../files/opened';
import { placeInWorkspace, readWorkspaceFile } from '../files/place';
import { sha256Of } from '../files/bytes/sha256';
import { findBlobs, readBlobs } from '../git/blobs';
import { locateRepository, InnerRepositories, type Repository } from '../git/locate';
import { headCommit, isCommit } from '../git/refs';
import { parsedJson } from '../../base/json';
import { errorWords } from '../../base/outcome';
import type { TreeLayer } from '../../contracts/launch';
import type { BeforeQuery, FileContent, NowQuery } from '../../engine/ports/contents';
import { isWhiteout } from '../sandbox/layers/landing';
import { noteName, reasonOf, type NotKept } from './copies';
import { copiesOf } from './manifest/place';

/** Bytes. A longer text is not shown, because its reader opens the file. */
const shownAtMost = 1024 * 1024;

/** Bytes; a copy that an undo made may be as large as a file that it reads. */
const keptAtMost = 256 * 1024 * 1024;

type Take = (index: number, bytes: Buffer) => void;

/** Keeps a byte-order mark, because one that came or went is a change. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Returns the bytes in the form that a person sees. */
function shown(bytes: Buffer, sha256: string): FileContent {
  if (bytes.subarray(0, 8000).includes(0)) return { kind: 'binary', size: bytes.length, sha256 };
  return { kind: 'text', text: utf8.decode(bytes), sha256 };
}

/** Reads what lies at these paths now, in a layer where one is named; follows no link, and gives nothing another mode. */
export async function contentsNow(workspace: string, asked: readonly NowQuery[]): Promise<readonly FileContent[]> {
  const found: FileContent[] = [];
  let left = readAtOnce;
  let closed = 0;
  for (const { path: file, layer } of asked) {
    const read = async (): Promise<FileContent> => {
      const content = await contentNow(layer?.up ?? workspace, file);
      return layer && content.kind === 'unknown' && closed++ < closedAtMost
        ? ((await closedContent(layer, file)) ?? content)
        : content;
    };
    const content: FileContent = left < shownAtMost ? { kind: 'unknown', reason: tooMuch } : await read();
    if (content.kind === 'text') left -= content.text.length;
    found.push(content);
  }
  return found;
}

/** Each starts some programs, so more stay unknown. */
const closedAtMost = 20;

/** Reads a file that its worker closed, as the root of a user namespace. Null: that shows no such file. */
async function closedContent(
  { seen_by: [bubblewrap = ''], at: workspace, up }: TreeLayer,
  file: string,
): Promise<FileContent | null> {
  const asRoot = [
    '--die-with-parent',
    '--unshare-user',
    '--uid',
    '0',
    '--gid',
    '0',
    '--cap-add',
    'CAP_DAC_READ_SEARCH',
  ];
  const parts = file.split('/');
  const [whole = [], ...above] = [...parts.keys(), parts.length].toReversed().map((count) => {
    const at = path.join(up, ...parts.slice(0, count));
    return ['-path', at.replaceAll(/[*?[\\]/g, String.raw`\$&`)];
  });
  // Enters no other folder, because a layer may hold many.
  const wanted = ['(', ...above.flatMap((one) => [...one, '-o']), '-prune', ')', ...whole, '-type', 'f'];
  // Neither follows a link nor waits for a fifo that a worker puts there meanwhile.
  const read = ['-execdir', 'dd', 'if={}', 'iflag=nofollow,nonblock', 'bs=64K', 'status=none', ';', '-printf', ' %s'];
  const find = ['find', up, ...wanted, '-size', `-${shownAtMost + 1}c`, ...read];
  try {
    // A program of the workspace does not stand in for these, and find starts none by a relative search path.
    const env = searchOutside(process.env, [workspace]);
    const options = {
      encoding: 'buffer',
      maxBuffer: 2 * shownAtMost,
      timeout: 10_000,
      killSignal: 'SIGKILL',
      env,
    } as const;
    const { stdout } = await promisify(execFile)(
      bubblewrap,
      [...asRoot, '--ro-bind', '/', '/', '--', ...find],
      options,
    );
    // Its size stands behind it. Less was read of what took its place meanwhile, such as a fifo.
    const end = stdout.lastIndexOf(' ');
    const bytes = stdout.subarray(0, Math.max(0, end));
    return end >= Number(stdout.toString('latin1', end)) ? shown(bytes, sha256Of(bytes)) : null;
  } catch {
    return null; // without namespaces a file that is closed stays so
  }
}

async function contentNow(root: string, file: string): Promise<FileContent> {
  try {
    const place = await placeInWorkspace(root, file);
    if (place.kind === 'refused') {
      const own = place.by === 'link' ? await linkAt(root, file) : null;
      if (own !== null) return { kind: 'link', target: own };
      return place.by === 'no_folder'
        ? { kind: 'absent' }
        : { kind: 'unknown', reason: `${place.reason}, so it is not read` };
    }
    const stats = lookAt(place.absolute) ?? null;
    if (stats === null)
      return isThereByBytes(root, file)
        ? { kind: 'unknown', reason: 'its name is no UTF-8 text, so it is not read' }
        : { kind: 'absent' };
    if (isWhiteout(place.absolute)) return { kind: 'absent' };
    if (stats.isFile() && stats.size > shownAtMost) return { kind: 'large', size: stats.size };
    const read = await readWorkspaceFile(root, file, shownAtMost);
    if (read.kind === 'none') return { kind: 'absent' };
    if (read.kind !== 'file') return { kind: 'unknown', reason: read.reason };
    return shown(read.bytes, sha256Of(read.bytes));
  } catch (error) {
    return { kind: 'unknown', reason: errorWords(error) };
  }
}

/** Returns whether a name that is not UTF-8 may be shown as this path. */
function isThereByBytes(root: string, file: string): boolean {
  const at = entryShownAs(root, file);
  return at === null || lookAt(at) !== undefined;
}

/** The text of a link at this very place, with no link on the way to it. */
async function linkAt(root: string, file: string): Promise<string | null> {
  const above = path.posix.dirname(file);
  if (above !== '.' && (await placeInWorkspace(root, above)).kind === 'refused') return null;
  return readlink(path.join(root, ...file.split('/'))).catch(() => null);
}

/** Also gives the bytes to `take`, where git or a copy has them. */
export async function contentsBefore(
  root: string,
  userState: string,
  missionId: string,
  files: readonly BeforeQuery[],
  take?: Take,
): Promise<readonly FileContent[]> {
  const inGit = await fromGit(root, files, take);
  const copies = copiesOf(userState, root, missionId);
  const notes = new Map<string, unknown>();
  const found: FileContent[] = [];
  let left = readAtOnce;
  for (const [index, query] of files.entries()) {
    if (left < shownAtMost) {
      found.push({ kind: 'unknown', reason: tooMuch });
      continue;
    }
    const git = inGit[index] ?? null;
    const sha256 = query.sha256.toUpperCase();
    if (git?.kind === 'text' || git?.kind === 'binary') found.push(git);
    else {
      const taken = take && ((bytes: Buffer): void => take(index, bytes));
      found.push((await fromCopy(copies, sha256, taken)) ?? (await asItIs(root, query)) ?? git ?? (await lost(query)));
    }
    const last = found.at(-1);
    if (last?.kind === 'text') left -= last.text.length;
  }
  return found;

  async function lost(query: BeforeQuery): Promise<FileContent> {
    for (const baseline of query.baselines) {
      if (!notes.has(baseline)) notes.set(baseline, await noteIn(copies, baseline));
      const why = reasonOf(notes.get(baseline), query.path);
      if (why !== null) return { kind: 'unknown', reason: notKept[why] };
    }
    if (!query.kept)
      return { kind: 'unknown', reason: 'git does not hold these bytes, and only approved paths are copied' };
    const isThere = (await lstat(copies).catch(() => null)) !== null;
    return {
      kind: 'unknown',
      reason: isThere
        ? 'git does not hold these bytes, and there is no copy of them'
        : 'git does not hold these bytes, and there are no copies: they were removed (mission clean), or the baseline was taken on another machine',
    };
  }
}

const notKept: Readonly<Record<NotKept, string>> = {
  over_limit: 'git does not hold these bytes, and the copies of one attempt are limited to 10 MB',
  changed: 'it changed, or could no longer be read, while the baseline was taken',
  unwritable: 'its copy could not be written',
};

/** Returns the present file if it has the bytes of then. */
async function asItIs(root: string, { path: file, sha256 }: BeforeQuery): Promise<FileContent | null> {
  const now = await contentNow(root, file);
  return 'sha256' in now && now.sha256 === sha256.toUpperCase() ? now : null;
}

async function fromCopy(folder: string, sha256: string, take?: (bytes: Buffer) => void): Promise<FileContent | null> {
  if (!/^[0-9A-F]{64}$/.test(sha256)) return null;
  const file = path.join(folder, sha256);
  const read = await readOnce(file, take ? keptAtMost : shownAtMost).catch(() => null);
  if (read?.kind === 'too_large') return { kind: 'large', size: (await lstat(file)).size };
  if (read?.kind !== 'file' || sha256Of(read.bytes) !== sha256) return null;
  take?.(read.bytes);
  return shown(read.bytes, sha256);
}

async function noteIn(folder: string, baseline: string): Promise<unknown> {
  if (!/^[0-9A-Fa-f]{64}$/.test(baseline)) return null;
  const read = await readOnce(path.join(folder, noteName(baseline)), shownAtMost).catch(() => null);
  return read?.kind === 'file' ? parsedJson(read.bytes.toString('utf8')) : null;
}

/** Bytes that are held in memory at once. */
const readAtOnce = 32 * 1024 * 1024;
const tooMuch = 'there is more than can be shown at once';
const tooLargeToCompare = 'what git holds of it is too large to be compared with it';

/**
 * Reads from the repository of the workspace, and from the innermost one inside it around the file.
 * Both give the index of now. The first gives HEAD of then, the second HEAD of now. Content counts
 * only with the digest of the baseline, so a filter or other line ends give nothing.
 */
async function fromGit(
  root: string,
  files: readonly BeforeQuery[],
  take?: Take,
): Promise<readonly (FileContent | null)[]> {
  const found: (FileContent | null)[] = files.map(() => null);
  const outer = await locateRepository(root);
  for (const [repository, wanted] of await placesOf(root, outer, files)) {
    const heads = repository === outer ? [] : [(await headCommit(repository)) ?? []].flat();
    const names = wanted.flatMap(({ index, name }) => {
      const commits = repository === outer ? (files[index]?.heads ?? []) : heads;
      return [...commits.filter(isCommit).map((commit) => `${commit}:${name}`), `:${name}`].map((one) => ({
        index,
        one,
      }));
    });
    const blobs = await findBlobs(
      repository,
      names.map(({ one }) => one),
    );
    let left = readAtOnce;
    const fitting = new Set<string>();
    // Reads large ones too, because their digest still shows whether they were there.
    for (const blob of blobs.toSorted((one, other) => (one?.size ?? 0) - (other?.size ?? 0))) {
      if (!blob || fitting.has(blob.oid) || blob.size > left) continue;
      fitting.add(blob.oid);
      left -= blob.size;
    }
    const bytes = await readBlobs(repository, [...fitting]);
    for (const [at, { index }] of names.entries()) {
      const blob = blobs[at];
      if (!blob || isKnown(found[index])) continue;
      const read = bytes.get(blob.oid);
      const sha256 = read && sha256Of(read);
      if (read && sha256 !== undefined && sha256 === files[index]?.sha256.toUpperCase()) {
        found[index] = read.length > shownAtMost ? { kind: 'large', size: read.length } : shown(read, sha256);
        take?.(index, read);
      } else if (!read && blob.size > shownAtMost) found[index] ??= { kind: 'unknown', reason: tooLargeToCompare };
    }
  }
  return found;
}

/** Finds the repositories that may know each file: that of the workspace, and the innermost one inside it. */
async function placesOf(
  root: string,
  outer: Repository | null,
  files: readonly BeforeQuery[],
): Promise<ReadonlyMap<Repository, readonly { readonly index: number; readonly name: string }[]>> {
  const places = new Map<Repository, { readonly index: number; readonly name: string }[]>();
  const nested = new InnerRepositories(root);
  for (const [index, { path: file }] of files.entries()) {
    if (!isPlain(file)) continue;
    const put = (repository: Repository): void => {
      const name = path.relative(repository.top, path.join(root, file)).split(path.sep).join('/');
      const list = places.get(repository);
      if (list) list.push({ index, name });
      else places.set(repository, [{ index, name }]);
    };
    if (outer !== null) put(outer);
    const inner = await nested.around(file);
    if (inner !== null) put(inner.repository);
  }
  return places;
}

function isKnown(content: FileContent | null | undefined): boolean {
  return content?.kind === 'text' || content?.kind === 'binary' || content?.kind === 'large';
}

function isPlain(file: string): boolean {
  return file.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !part.includes('\0'));
}
