import { createHash, randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, realpath, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gitMode, type Left } from '../../base/fileState';
import type { PatchedPath } from '../../core/handoff/diff';
import type { PatchStarts, UndoPatch } from '../../engine/ports/handoff';
import type { HeldState } from '../../contracts/launch';
import { sha256Of } from '../files/bytes/sha256';
import { ownFolder } from '../files/leftOutFolders';
import { heldBelow, replaceIn, type Wanted } from '../files/replacing';
import { gitOnFiles, splitNul } from '../git/command';
import { done, errorWords, refused, type Outcome } from '../../base/outcome';
import { inScratchFolder } from '../files/scratch';
import { contentAt, putContent, sameContent, type Content } from '../files/content';

/** Returns what a patch would leave at every path that it names. Git applies it to copies. */
export async function tryPatch(
  workspaceRoot: string,
  patch: Uint8Array,
  starts: PatchStarts = new Map(),
): Promise<Outcome<readonly PatchedPath[]>> {
  return inScratch(patch, async (given, scratch) => {
    const copies = await patchedCopies(await realpath(workspaceRoot), given, starts, scratch);
    if (!copies.ok) return copies;
    return done(
      [...copies.value.after].map(([name, content]): PatchedPath => ({ path: name, left: stateOf(content) })),
    );
  });
}

function stateOf(content: Content | null): Left {
  if (content === null) return { kind: 'nothing' };
  if (content.mode === '120000') return { kind: 'link', target: content.bytes.toString('utf8') };
  return { kind: 'file', sha256: sha256Of(content.bytes), mode: content.mode.slice(-3) };
}

interface Copies {
  readonly before: Contents;
  readonly after: Contents;
}

async function patchedCopies(
  root: string,
  given: PatchFile,
  starts: PatchStarts,
  scratch: string,
): Promise<Outcome<Copies>> {
  const before = await contentsOf(root, given);
  if (!before.ok) return before;
  const made = await madeBy(given);
  const tree = path.join(scratch, 'tree');
  await mkdir(tree);
  for (const [name, content] of before.value) {
    const start = startOf(content, { ...given, isMade: made.has(name), found: starts.get(name) });
    if (start !== null) await putContent(path.join(tree, ...name.split('/')), start);
  }
  const applied = await apply(tree, given.file);
  if (!applied.ok) return applied;
  const unknown = await foreignEntry(tree, new Set(before.value.keys()));
  if (unknown !== null) return invalid(`The diff of the handoff makes ${unknown}, which is neither a file nor a link.`);
  const after = new Map<string, Content | null>();
  for (const name of before.value.keys()) {
    const content = await contentAt(tree, name);
    if (typeof content === 'string') return invalid(`The diff of the handoff leaves ${name} unusable: ${content}.`);
    after.set(name, content);
  }
  return done({ before: before.value, after });
}

/**
 * Returns what the patch was made from, where the file here is as the run found it. Git converts line ends at checkout.
 * A commit has no file that git ignores, and none of a submodule, so the patch makes these anew. A patch that changes
 * the mode alone does not say what the file holds; `found`, its digest, does.
 */
function startOf(
  content: Content | null,
  { from, isMade, found }: PatchFile & { readonly isMade: boolean; readonly found: string | undefined },
): Content | null {
  if (content === null || content.mode === '120000') return content;
  const { bytes } = content;
  const text = bytes.toString('latin1');
  const converted = [text.replaceAll('\r\n', '\n'), text.replaceAll(/\r?\n/g, '\r\n')];
  const forms = [bytes, ...converted.map((one) => Buffer.from(one, 'latin1'))];
  const same = forms.find((one) => isBlobOf(one, from));
  if (!same && isMade) return sha256Of(bytes) === found ? null : content;
  return { ...content, bytes: same ?? forms.find((one) => sha256Of(one) === found) ?? bytes };
}

function isBlobOf(bytes: Buffer, ids: ReadonlySet<string>): boolean {
  return ['sha1', 'sha256'].some((algorithm) =>
    ids.has(createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex')),
  );
}

const again = 'Export the handoff again where the run is, or bring the files by hand.';

/**
 * Applies a patch to copies, and then puts them where what they were made from still lies. What another program saves
 * meanwhile stays, and then all is as before. No later call finishes what a killed process began: its list would lie in
 * the workspace, where a repository may bring one.
 */
export async function applyPatch(
  workspaceRoot: string,
  patch: Uint8Array,
  starts: PatchStarts = new Map(),
): Promise<Outcome<UndoPatch>> {
  return inScratch(patch, async (given, scratch) => {
    const root = await realpath(workspaceRoot);
    const copies = await patchedCopies(root, given, starts, scratch);
    if (!copies.ok) return copies;
    const { before, after } = copies.value;
    const missing = await missingFolders(root, [...before.keys()]);
    const failed = await putAll(root, { from: before, to: after });
    const restoreWhere = (is: (held: HeldState, name: string) => boolean): Promise<Outcome<null>> => {
      const to = new Map([...before].filter(([name]) => is(heldBelow(root, name), name)));
      return restore(root, { from: after, to }, missing);
    };
    if (failed.length === 0) return done(() => restoreWhere((held, name) => !isHeld(held, before.get(name) ?? null)));
    const undone = await restoreWhere((held, name) => isHeld(held, after.get(name) ?? null));
    const reason = `The diff of the handoff does not apply here: ${failed.join('; ')}.`;
    return undone.ok ? refused('EVIDENCE_UNWRITABLE', reason, again) : undone;
  });
}

/** Takes back what a patch left, and nothing that was saved over it since. */
async function restore(root: string, contents: Change, missing: readonly string[]): Promise<Outcome<null>> {
  const failed = await putAll(root, contents);
  // `rmdir` keeps a folder that another process has put something into.
  for (const folder of missing) await rmdir(path.join(root, ...folder.split('/'))).catch(() => undefined);
  return failed.length === 0
    ? done(null)
    : refused(
        'EVIDENCE_UNWRITABLE',
        `The diff of the handoff was not taken back wholly (${failed.join('; ')}).`,
        'Look at these files: git diff shows what is left.',
      );
}

interface Change {
  readonly from: Contents;
  readonly to: Contents;
}

/** Puts contents where others still lie. Returns each that it did not put, with the reason. */
async function putAll(root: string, { from, to }: Change): Promise<readonly string[]> {
  return inScratchFolder('mission-diff', async (scratch) => {
    const wanted: Wanted[] = [];
    const failed: string[] = [];
    for (const [name, content] of to) {
      const there = from.get(name) ?? null;
      if (sameContent(content, there)) continue;
      const was = heldBelow(root, name);
      if (!isHeld(was, there)) {
        failed.push(`${name}: ${meanwhile}`);
        continue;
      }
      const copy = path.join(scratch, String(wanted.length));
      if (content !== null) await putContent(copy, content);
      wanted.push({ name, was, from: content && copy });
    }
    // On the file system of the workspace.
    const state = path.join(root, ownFolder);
    await mkdir(state, { recursive: true });
    const all = replaceIn(root, path.join(state, `patch-${randomUUID()}`), wanted).filter(({ placed }) => !placed);
    return [...failed, ...all.map(({ name, trouble }) => `${name}: ${trouble ?? meanwhile}`)];
  }).catch((error: unknown) => [errorWords(error)]);
}

const meanwhile = 'another program changed it meanwhile';

function isHeld(held: HeldState, content: Content | null): boolean {
  if (content === null) return held.kind === 'nothing';
  if (held.kind === 'link') return content.mode === '120000' && held.target === content.bytes.toString('utf8');
  const isSame = held.kind === 'file' && held.sha256 === sha256Of(content.bytes);
  return isSame && `100${gitMode(held.mode.toString(8))}` === content.mode;
}

type Contents = ReadonlyMap<string, Content | null>;

async function apply(folder: string, file: string): Promise<Outcome<null>> {
  const answer = await gitOnFiles(folder, ['apply', '-p1', '--whitespace=nowarn', file]);
  return answer.ok
    ? done(null)
    : refused('EVIDENCE_UNWRITABLE', `The diff of the handoff does not apply here: ${answer.reason}.`, again);
}

/** Every path that a patch names, old names of renames and copies included, with its content now. */
async function contentsOf(
  root: string,
  { file, moved }: PatchFile,
): Promise<Outcome<ReadonlyMap<string, Content | null>>> {
  const contents = new Map<string, Content | null>();
  let bytes = 0;
  let largest = 0;
  // Asks in both directions, because git lists one name of a rename, and with `--reverse` the other.
  for (const direction of [[], ['--reverse']]) {
    const answer = await gitOnFiles(path.dirname(file), ['apply', '-p1', ...direction, '--numstat', '-z', file]);
    if (!answer.ok) return invalid(`The diff of the handoff cannot be read: ${answer.reason}.`);
    for (const line of splitNul(answer.stdout)) {
      const name = line.toString('utf8').split('\t').slice(2).join('\t');
      if (contents.has(name)) continue;
      const content = await contentAt(root, name, largestUnpacked);
      if (typeof content === 'string')
        return invalid(`The diff of the handoff cannot change ${JSON.stringify(name)}: ${content}.`);
      contents.set(name, content);
      const size = content?.bytes.length ?? 0;
      bytes += size;
      largest = Math.max(largest, size);
      if (bytes > largestUnpacked) return tooLarge('is about files of', bytes);
    }
  }
  const copied = largest * moved;
  return copied > largestUnpacked ? tooLarge('copies or renames', copied) : done(contents);
}

async function madeBy({ file }: PatchFile): Promise<ReadonlySet<string>> {
  const answer = await gitOnFiles(path.dirname(file), ['apply', '-p1', '--summary', file]);
  const lines = answer.ok ? answer.stdout.toString('utf8').matchAll(/^ create mode \d+ (.*)$/gm) : [];
  return new Set([...lines].map(([, name = '']) => name));
}

/** Returns an entry that the patch made but does not name, or an empty folder: git's form of a submodule. */
async function foreignEntry(tree: string, known: ReadonlySet<string>): Promise<string | null> {
  for (const entry of await readdir(tree, { recursive: true, withFileTypes: true })) {
    const absolute = path.join(entry.parentPath, entry.name);
    const name = path.relative(tree, absolute).split(path.sep).join('/');
    const expected = entry.isDirectory() ? (await readdir(absolute)).length > 0 : known.has(name);
    if (!expected) return name;
  }
  return null;
}

/** Folders that must be created for these files, the innermost first. */
async function missingFolders(root: string, names: readonly string[]): Promise<readonly string[]> {
  const missing = new Set<string>();
  for (const name of names) {
    for (let folder = path.posix.dirname(name); folder !== '.'; folder = path.posix.dirname(folder)) {
      const there = await lstat(path.join(root, ...folder.split('/'))).catch(() => null);
      if (there === null) missing.add(folder);
    }
  }
  return [...missing].sort((left, right) => right.length - left.length);
}

/** A patch file that is safe to give to git. */
interface PatchFile {
  readonly file: string;
  /** Number of copies and renames; each may be of the largest file that the patch names. */
  readonly moved: number;
  /** Ids of the blobs that it changes. */
  readonly from: ReadonlySet<string>;
}

/** Bytes that a patch may be about; as many as a handoff file may have. */
const largestUnpacked = 64 * 1024 * 1024;

function tooLarge(what: string, bytes: number): ReturnType<typeof refused> {
  return invalid(`The diff of the handoff ${what} ${Math.ceil(bytes / 1024 / 1024)} MB; at most 64 MB are unpacked.`);
}

function invalid(reason: string): ReturnType<typeof refused> {
  return refused('EVIDENCE_INVALID', reason, again);
}

async function inScratch<T>(
  patch: Uint8Array,
  work: (file: PatchFile, folder: string) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const text = Buffer.from(patch.buffer, patch.byteOffset, patch.byteLength).toString('latin1');
  // A few kilobytes of this form unpack to any number of bytes. All else that git writes is as long as its patch, or a
  // copy. Our diffs hold every file as text.
  if (text.includes('\nGIT binary patch')) return invalid("The diff of the handoff has a part in git's binary form.");
  const moved = text.match(/(?:^|\n)(?:copy|rename) from /g)?.length ?? 0;
  const from = new Set([...text.matchAll(/(?:^|\n)index ([0-9a-f]{40,64})\.\./g)].map(([, id = '']) => id));
  return inScratchFolder('mission-diff', async (scratch) => {
    const file = path.join(scratch, 'changes.diff');
    await writeFile(file, patch);
    return work({ file, moved, from }, scratch);
  }).catch((error: unknown) =>
    refused(
      'EVIDENCE_UNWRITABLE',
      `The diff of the handoff could not be tried: ${errorWords(error)}.`,
      'Make the folder for temporary files writable, then repeat the command.',
    ),
  );
}
