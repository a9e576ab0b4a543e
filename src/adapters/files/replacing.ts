import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { errorWords, errorCode } from '../../base/outcome';
import { replacementsSchema, type HeldState, type Replacement } from '../../contracts/launch';
import { digestOfFile } from './bytes/sha256';
import { folderNames, joinNative, type NativePath } from './entry';

/**
 * What shall stand at a name of a folder: one name, or a POSIX path below it. `from`: a copy of that; null: nothing
 * shall. A folder that shall go goes only if it is empty by then.
 */
export interface Wanted {
  readonly name: string;
  readonly was: HeldState;
  readonly from: string | null;
}

/** `trouble`: why it was not tried to the end. Not placed without a trouble: something else changed the name. */
export interface Placed {
  readonly name: string;
  readonly placed: boolean;
  readonly trouble: string | null;
}

/**
 * Replaces, makes and removes entries of a folder, where each still is what the caller knows. An entry is whole at each
 * moment. What another program saves meanwhile stays, also a save into the file that was just replaced. Sockets, fifos
 * and devices in a new folder are not copied. Folders above a new entry are made, and no link is followed below the
 * folder: an entry behind one stays as it is. The steps are taken in order.
 *
 * If the process is killed, `finishReplacing` goes on: all copies and their list are on the disk before anything is
 * touched. Each step asks the disk whether it is done.
 *
 * @param done made once all of it stands there. With it, touches nothing and returns what something else changed while
 *   the others were copied
 * @param own where copies, the list and replaced files lie until the end, on the file system of `folder`
 * @throws the file system's own error, where it touched nothing
 */
export function replaceIn(
  folder: string,
  own: string,
  wanted: readonly Wanted[],
  done: string | null = null,
): readonly Placed[] {
  if (wanted.length === 0) return [];
  fs.mkdirSync(own, { mode: 0o700 });
  try {
    const copied: Copied = { synced: 0, left: [] };
    const steps = wanted.map(({ name, was, from }, index): Replacement => {
      const { copy } = placesOf(own, index);
      if (from !== null) copyEntry(from, copy, copied);
      return { name, was, will: heldAt(copy) };
    });
    syncLeft(own, copied);
    const others = done === null ? [] : changedIn(folder, wanted);
    if (others.length > 0) {
      removeCopied(own);
      return others.map((name) => ({ name, placed: false, trouble: null }));
    }
    writeList(own, steps);
  } catch (error) {
    removeCopied(own);
    throw error;
  }
  return finishReplacing(folder, own, done);
}

/** Compares the first step of each name, because the later ones find what that one left. */
function changedIn(folder: string, wanted: readonly Wanted[]): readonly string[] {
  const first = new Map(wanted.toReversed().map(({ name, was }) => [name, was]));
  return [...first].flatMap(([name, was]) => (isSame(heldBelow(folder, name), was) ? [] : [name]));
}

/** Goes on with what a process of `replaceIn` did not finish; nothing to do: no process has begun. */
export function finishReplacing(folder: string, own: string, done: string | null = null): readonly Placed[] {
  const steps = readList(own);
  const all = steps.map((step, index) => ({ step, places: placesOf(own, index) }));
  const troubles = all.map(({ step, places }) =>
    troubleOf(() => inParent(folder, step.name, step.will.kind !== 'nothing', (at) => place(step, { ...places, at }))),
  );
  const keptBack = all.map(({ step, places }) =>
    troubleOf(() => {
      if (!isOwed(step, places)) return;
      // Its folder may have gone meanwhile, as an empty one.
      const reached = inParent(folder, step.name, true, (at) => giveBack(step, { ...places, at }));
      if (typeof reached === 'string') throw new Error('it changed right before, and no folder is above it');
    }),
  );
  const ends = all.map(({ step: { name, was, will }, places: { copy } }, index): Placed => {
    const held = heldBelow(folder, name);
    const placed = !isThere(copy) && isSame(held, will);
    // What something else changed is no trouble.
    const trouble = keptBack[index] ?? (placed || !isSame(held, was) ? null : (troubles[index] ?? null));
    return { name, placed, trouble };
  });
  const later = laterSteps(steps);
  const placedAtLast = ends.map((end, index) => ({ ...end, ...ends[later(end.name, index)], name: end.name }));
  // What a person saved lies there: the next call tries again.
  if (keptBack.some((trouble) => trouble !== null)) return placedAtLast;
  if (steps.length > 0) {
    const folders = new Set(steps.map(({ name }) => path.posix.dirname(name)));
    // With a name behind it, because a handle of Linux is a link.
    for (const name of folders)
      inParent(folder, path.posix.join(name, '_'), false, (at) => sync(`${path.dirname(at)}/.`));
    // Before the list goes, because nothing else says then that it is done.
    if (done !== null && placedAtLast.every(({ placed }) => placed)) {
      fs.writeFileSync(done, '');
      sync(path.dirname(done));
    }
    // First, because steps without what they put aside would be taken for new ones.
    fs.rmSync(path.join(own, listName), { force: true });
  }
  // What was put aside is no copy, and may be of any kind.
  for (const { places } of all) if (heldAt(places.aside).kind === 'other') fs.rmSync(places.aside);
  removeCopied(own);
  return placedAtLast;
}

/** Finds the step that puts something at a name, or above it, after the one with this index; else that one. */
function laterSteps(steps: readonly Replacement[]): (name: string, index: number) => number {
  const makes = new Map(steps.flatMap(({ name, will }, index) => (will.kind === 'nothing' ? [] : [[name, index]])));
  return (name, index) => {
    for (let at = name; at !== '.'; at = path.posix.dirname(at)) {
      const found = makes.get(at);
      if (found !== undefined && found > index) return found;
    }
    return index;
  };
}

/** Looks what lies at a name below a folder; what is behind a link or a file is `other`. */
export function heldBelow(folder: string, name: string): HeldState {
  const held = inParent(folder, name, false, heldAt);
  return typeof held === 'string' ? { kind: held } : held;
}

/** Acts on an entry in its folder, which stays open meanwhile. Or says that this is no folder, as `openParent`. */
function inParent<T>(folder: string, name: string, makes: boolean, act: (at: string) => T): T | 'nothing' | 'other' {
  const parent = openParent(folder, name, makes);
  if (typeof parent === 'string') return parent;
  try {
    return act(path.join(parent.at, path.posix.basename(name)));
  } finally {
    parent.close();
  }
}

/** The folder that holds an entry. `at` counts until it is closed. */
interface Parent {
  readonly at: string;
  close(): void;
}

/** Node lacks this constant. A handle with it needs no right to read the folder. */
const openAsPath = 0o10000000;

/**
 * Opens the folders above a name one by one. So none can be exchanged for a link while something is done in it.
 * Elsewhere than on Linux it can only look at each. `other`: a link or a file lies above.
 */
function openParent(folder: string, name: string, makes: boolean): Parent | 'nothing' | 'other' {
  const parts = name.split('/').slice(0, -1);
  let parent = parts.length === 0 ? looked(folder) : openFolder(folder);
  for (const part of parts) {
    let next;
    try {
      next = openInner(path.join(parent.at, part), makes);
    } finally {
      parent.close();
    }
    if (typeof next === 'string') return next;
    parent = next;
  }
  return parent;
}

function openInner(at: string, makes: boolean): Parent | 'nothing' | 'other' {
  try {
    if (makes && !isThere(at)) makeFolder(at);
    if (fs.lstatSync(at).isDirectory()) return openFolder(at);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'nothing';
    if (!['ENOTDIR', 'ELOOP'].includes(errorCode(error) ?? '')) throw error;
  }
  return 'other';
}

function makeFolder(at: string): void {
  try {
    fs.mkdirSync(at);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

function openFolder(folder: string): Parent {
  if (process.platform !== 'linux') return looked(folder);
  const { O_DIRECTORY, O_NOFOLLOW } = fs.constants;
  const descriptor = fs.openSync(folder, openAsPath | O_DIRECTORY | O_NOFOLLOW);
  return { at: `/proc/self/fd/${descriptor}`, close: () => fs.closeSync(descriptor) };
}

function looked(folder: string): Parent {
  return { at: folder, close: () => undefined };
}

/** Looks what a name holds. `other`: no file, folder or nothing, or a file that cannot be read. */
export function heldAt(at: string): HeldState {
  const stats = fs.lstatSync(at, { throwIfNoEntry: false });
  if (stats === undefined) return { kind: 'nothing' };
  if (stats.isDirectory()) return { kind: 'folder' };
  if (stats.isSymbolicLink()) return { kind: 'link', target: fs.readlinkSync(at) };
  const sha256 = stats.isFile() ? digestOfFile(at) : null;
  return sha256 === null ? { kind: 'other' } : { kind: 'file', sha256, mode: stats.mode & 0o7777 };
}

export function isSame(one: HeldState, other: HeldState): boolean {
  if (one.kind === 'link' && other.kind === 'link') return one.target === other.target;
  if (one.kind !== 'file' || other.kind !== 'file') return one.kind === other.kind;
  return one.sha256 === other.sha256 && one.mode === other.mode;
}

interface Places {
  readonly at: string;
  /** What shall stand there, until it does. */
  readonly copy: string;
  /** What stood there. */
  readonly aside: string;
}

function placesOf(own: string, index: number): Omit<Places, 'at'> {
  return { copy: path.join(own, `new-${index}`), aside: path.join(own, `old-${index}`) };
}

function place({ was, will }: Replacement, { at, copy, aside }: Places): void {
  if (will.kind === 'nothing' && was.kind === 'folder') removeEmpty(at);
  else if (will.kind === 'nothing') {
    // A rename takes what is there at that moment, so nothing that is saved meanwhile is removed unseen.
    if (!isThere(aside) && isSame(heldAt(at), was)) fs.renameSync(at, aside);
  }
  if (!isThere(copy)) return;
  if (was.kind === 'nothing') placeNew(will, { at, copy });
  else if (isSame(heldAt(at), was)) {
    fs.rmSync(aside, { force: true });
    secondName(at, aside);
    // Node has no renameat2: a save by rename within the next microseconds is lost.
    if (isOne(at, aside)) fs.renameSync(copy, at);
  }
}

function removeEmpty(at: string): void {
  try {
    if (heldAt(at).kind === 'folder') fs.rmdirSync(at);
  } catch (error) {
    if (!['EEXIST', 'ENOTEMPTY', 'ENOENT'].includes(errorCode(error) ?? '')) throw error;
  }
}

/** Takes no name that came meanwhile, except that of an empty folder. */
function placeNew(will: HeldState, { at, copy }: Pick<Places, 'at' | 'copy'>): void {
  try {
    if (will.kind === 'folder') renameFolder(copy, at);
    else secondName(copy, at);
  } catch (error) {
    if (!['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes(errorCode(error) ?? '')) throw error;
    // One that was killed right after its link() is done.
    if (!isOne(at, copy)) return;
  }
  fs.rmSync(copy, { force: true });
}

/** A folder that its owner may not write cannot get another parent. */
function renameFolder(from: string, to: string): void {
  const mode = fs.lstatSync(from).mode & 0o7777;
  const isOpen = (mode & 0o200) !== 0;
  if (!isOpen) fs.chmodSync(from, mode | 0o200);
  fs.renameSync(from, to);
  if (!isOpen) fs.chmodSync(to, mode);
}

/** Returns whether what was put aside changed right before, so that it is owed to a person. */
function isOwed({ was }: Replacement, { copy, aside }: Omit<Places, 'at'>): boolean {
  return !isThere(copy) && isThere(aside) && !isSame(heldAt(aside), was);
}

/** Puts back what was put aside, where something changed it right before. What stands there since then stays. */
function giveBack({ will }: Replacement, { at, aside }: Places): void {
  if (will.kind !== 'nothing') {
    if (isSame(heldAt(at), will)) fs.renameSync(aside, at);
  } else if (heldAt(aside).kind === 'folder') {
    if (!isThere(at)) fs.renameSync(aside, at);
  } else if (!isThere(at)) secondName(aside, at);
}

/** A link never changes, so one with the same text is as good; not every system makes a second name of a link. */
function secondName(from: string, to: string): void {
  const text = linkAt(from);
  if (text === null) fs.linkSync(from, to);
  else fs.symlinkSync(text, to);
}

/** Copies a file, a link or a folder, with modes, owners and times. */
function copyEntry(from: NativePath, to: NativePath, copied: Copied): void {
  const stats = fs.lstatSync(from);
  if (stats.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(from, 'buffer'), to);
  else if (stats.isDirectory() || stats.isFile()) {
    const close = opened(from);
    try {
      if (stats.isFile()) fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
      else copyFolder(from, to, copied);
    } finally {
      close();
    }
  } else return;
  if (process.geteuid?.() === 0) fs.lchownSync(to, stats.uid, stats.gid);
  if (stats.isSymbolicLink()) return;
  fs.utimesSync(to, stats.atimeMs / 1000, stats.mtimeMs / 1000);
  if (copied.synced++ < mostSynced) sync(to);
  else copied.left.push(to);
  fs.chmodSync(to, stats.mode & 0o7777);
}

/** What was copied; `left` is not on the disk yet. */
interface Copied {
  synced: number;
  readonly left: NativePath[];
}

/** So many files are synced one by one, each in some milliseconds. More wait for one sync of their file system. */
const mostSynced = 200;

/** Node has no syncfs. Where no program does it in time, as beside a busy disk, each file is synced. */
function syncLeft(own: string, { left }: Copied): void {
  if (left.length === 0) return;
  const options = { timeout: 60_000, killSignal: 'SIGKILL' } as const;
  const isDone = ['/usr/bin/sync', '/bin/sync'].some((file) => spawnSync(file, ['-f', own], options).status === 0);
  for (const at of isDone ? [] : left) {
    const close = opened(at);
    sync(at);
    close();
  }
}

function copyFolder(from: NativePath, to: NativePath, copied: Copied): void {
  fs.mkdirSync(to, { mode: 0o700 });
  for (const { name, bytes } of folderNames(from))
    copyEntry(joinNative(from, name, bytes), joinNative(to, name, bytes), copied);
}

/** Removes what `copyEntry` copies; a folder with anything else in it stays. */
export function removeCopied(at: NativePath): void {
  const stats = fs.lstatSync(at, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (stats.isFile() || stats.isSymbolicLink()) fs.unlinkSync(at);
  if (!stats.isDirectory()) return;
  opened(at);
  for (const { name, bytes } of folderNames(at)) removeCopied(joinNative(at, name, bytes));
  if (fs.readdirSync(at).length === 0) fs.rmdirSync(at);
}

/**
 * Makes a file or a folder of a layer readable, which its worker may have closed. Returns what gives it its mode back:
 * that of a folder after those of what is in it.
 */
export function opened(at: NativePath): () => void {
  const stats = fs.lstatSync(at);
  const [mode, bits] = [stats.mode & 0o7777, stats.isDirectory() ? 0o700 : 0o400];
  if ((mode & bits) === bits) return () => undefined;
  fs.chmodSync(at, mode | bits);
  return () => fs.chmodSync(at, mode);
}

const listName = 'list.json';

function writeList(own: string, steps: readonly Replacement[]): void {
  const [half, list] = [path.join(own, 'half'), path.join(own, listName)];
  fs.writeFileSync(half, JSON.stringify(steps), { mode: 0o600 });
  sync(half);
  fs.renameSync(half, list);
  sync(own);
}

/** Reads the list; empty: nothing was touched. @throws Error where the list is not as `writeList` writes it */
function readList(own: string): readonly Replacement[] {
  const list = path.join(own, listName);
  return isThere(list) ? replacementsSchema.parse(JSON.parse(fs.readFileSync(list, 'utf8'))) : [];
}

function sync(at: NativePath): void {
  // Windows flushes no folder, and no file that is open for reading.
  if (process.platform === 'win32') return;
  const descriptor = fs.openSync(at, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

export function isThere(at: string): boolean {
  return fs.lstatSync(at, { throwIfNoEntry: false }) !== undefined;
}

function linkAt(at: string): string | null {
  return fs.lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true ? fs.readlinkSync(at) : null;
}

/** Returns whether `secondName` made the one of the other. */
function isOne(one: string, other: string): boolean {
  const text = linkAt(one);
  if (text !== null) return text === linkAt(other);
  const [a, b] = [one, other].map((at) => fs.lstatSync(at, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

function troubleOf(act: () => void): string | null {
  try {
    act();
    return null;
  } catch (error) {
    return errorWords(error).replaceAll(/\/proc\/self\/fd\/\d+\//g, '');
  }
}
