import fs from 'node:fs';
import path from 'node:path';
import { isLeftover } from '../../../base/leftovers';
import { errorWords } from '../../../base/outcome';
import type { LaunchLayers, StrayChange, Strays, StrayTexts, TreeLayer } from '../../../contracts/launch';
import { dependencyFolders } from '../../../contracts/vocabulary/files/dependencyFolders';
import { digestOfFile } from '../../files/bytes/sha256';
import { folderNames, nativeOf, type FolderName, type NativePath } from '../../files/entry';
import { opened } from '../../files/replacing';
import { areIgnored, gitStandings } from '../../git/ignored';
import { inside } from '../facts/facts';
import { hidesBelow, type LayerName } from './layers';

type Tree = NonNullable<LaunchLayers['tree']>;

/**
 * Reads what an ended launch changed in the layer over its workspace, before the layer is removed. Null: nothing.
 *
 * @param landed what was put into the workspace, where something else may have changed it since
 */
export async function readStrays(tree: Tree, landed: ReadonlySet<string>): Promise<Strays | null> {
  try {
    const { lands = [] } = tree;
    const isLanded = (change: StrayChange): boolean =>
      (['file', 'folder', 'link'].includes(change.what) && isBelow(change.path, landed)) ||
      (keepsMode(change) && lands.some(({ name }) => inside(change.path, name)));
    const all = (await readDelta(await endedLayers(tree))).filter((change) => !isLanded(change));
    if (all.length === 0) return null;
    // A name decides only where git does not track the path. What is new is not asked, because it may be much.
    const asked = all.filter((change) => change.kind !== 'added' || !isUnkept(change));
    const standings = await gitStandings(
      tree.at,
      asked.map(({ path: at, what }) => (what === 'folder' ? `${at}/` : at)),
    );
    const approved = await countedNames(tree);
    const isApproved = ({ path: at }: StrayChange): boolean => approved.some((name) => inside(at, name));
    const counted = asked.filter(
      (change, index) =>
        standings[index] === 'tracked' || ((standings[index] !== 'ignored' || isApproved(change)) && !isUnkept(change)),
    );
    const counts = new Set(counted);
    const ignored = all.filter((change) => !counts.has(change)).map((change) => change.path);
    return {
      changes: counted.slice(0, mostNamed).map(({ raw: _, ...change }) => change),
      more: Math.max(0, counted.length - mostNamed),
      ...(counted.length > mostNamed && { more_by: countsOf(counted.slice(mostNamed)) }),
      ignored: ignored.slice(0, mostIgnored),
      more_ignored: Math.max(0, ignored.length - mostIgnored),
      trouble: null,
    };
  } catch (error) {
    const trouble = `its layer cannot be read (${errorWords(error)})`;
    return { changes: [], more: 0, ignored: [], more_ignored: 0, trouble };
  }
}

/**
 * Finds the approved names in which everything counts, also what git ignores. Below the others a check leaves what tools
 * build, as `target/` in a module.
 */
async function countedNames({ at, below, lands = [] }: Tree): Promise<readonly string[]> {
  const names = lands.map(({ name }) => name);
  if (below === undefined) return names;
  const ignored = await areIgnored(at, names);
  return names.filter((_, index) => ignored[index] === true);
}

function countsOf(changes: readonly StrayChange[]): Strays['more_by'] {
  const counts: NonNullable<Strays['more_by']> = {};
  for (const { kind } of changes) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

export function isBelow(name: string, all: ReadonlySet<string>): boolean {
  for (let at = name; at !== '.'; at = path.posix.dirname(at)) if (all.has(at)) return true;
  return false;
}

const mostNamed = 100;
const mostIgnored = 20;

/** Reads the texts of what `readStrays` named, before the layer is removed; not those that are long or no text. */
export function strayTexts({ at, up, below }: Tree, { changes }: Strays): StrayTexts {
  let left = allTexts;
  const was = (name: string): string =>
    below && statOf(path.join(below.up, name))?.isFile() === true ? path.join(below.up, name) : path.join(at, name);
  return changes.flatMap(({ path: name, kind, what }) => {
    if (what !== 'file') return [];
    const before = kind === 'added' || kind === 'type_changed' ? null : textOf(was(name));
    const after = kind === 'deleted' ? null : closedText(path.join(up, name));
    left -= Buffer.byteLength(JSON.stringify([before, after]));
    return before === undefined || after === undefined || left < 0 ? [] : [{ path: name, before, after }];
  });
}

/** Undefined also: its folder is closed. */
function closedText(file: string): string | undefined {
  let close;
  try {
    close = opened(file);
    return textOf(file);
  } catch {
    return undefined;
  } finally {
    close?.();
  }
}

/** A reader takes 1 MB. */
const allTexts = 900 * 1024;

/** Returns whether a change is the mode of a folder, which the folder in the workspace keeps as it is. */
export function keepsMode({ what, kind }: Pick<StrayChange, 'what' | 'kind'>): boolean {
  return what === 'folder' && kind === 'mode_changed';
}

/** Returns whether observation leaves out such a change of what git does not track. Git keeps no folder by itself. */
function isUnkept({ path, kind, what }: StrayChange): boolean {
  if (what === 'folder' && (kind === 'added' || kind === 'mode_changed')) return true;
  return isLeftover(path) || path.split('/').some((part) => dependencyFolders.has(part));
}

/** Returns the layer over a workspace, for `readDelta`. */
export function endedLayer(tree: TreeLayer, live = false): EndedLayer {
  return {
    up: tree.up,
    live,
    since: tree.since,
    lower: {
      at: (name) => nativeIn(tree.at, name),
      names: (name) => readableNames(nativeIn(tree.at, name)),
    },
    hides: (folders) => hidesBelow(tree, folders),
  };
}

/** The same with a layer of a worker below it. */
async function endedLayers(tree: Tree): Promise<EndedLayer> {
  const { below } = tree;
  const ended = endedLayer(tree);
  if (below === undefined) return ended;
  const delta = await readDelta(endedLayer(below));
  const gone = new Set(delta.flatMap(({ path: at, kind }) => (['deleted', 'type_changed'].includes(kind) ? [at] : [])));
  const at = (name: LayerName): NativePath => {
    const own = nativeIn(below.up, name);
    return statOf(own) === undefined && !isBelow(name.path, gone) ? nativeIn(tree.at, name) : own;
  };
  const names = (folder: LayerName): readonly FolderName[] => {
    const all = [below.up, tree.at].flatMap((one) => readableNames(nativeIn(one, folder)));
    return [...new Map(all.map((one) => [keyOf(one), one])).values()].filter((one) =>
      ['whiteout', null].every((kind) => kindAt(at(inFolder(folder, one))) !== kind),
    );
  };
  return { ...ended, lower: { at, names } };
}

/** A layer of an ended launch, and the folder below it. */
export interface EndedLayer {
  readonly up: string;
  /** The launch goes on, so what its worker closed stays so, and is not read. Absent: it has ended. */
  readonly live?: boolean;
  /** When the layer was made, by the clock of the folder below it, milliseconds. Absent: unknown. */
  readonly since?: number | undefined;
  /** Where the folder has a name, and the names that it has in a folder of both. */
  readonly lower: {
    readonly at: (name: LayerName) => NativePath;
    readonly names: (folder: LayerName) => readonly FolderName[];
  };
  /** Returns which folders of the layer hide those below them. Only the kernel knows: Node reads no extended attributes. */
  readonly hides: (folders: readonly LayerName[]) => Promise<readonly boolean[]>;
}

export type LayerChange = StrayChange & LayerName;

export function nativeIn(root: string, { path: at, raw }: LayerName): NativePath {
  return nativeOf(root, at, raw);
}

function inFolder(folder: LayerName, { name, bytes }: Pick<FolderName, 'name' | 'bytes'>): LayerName {
  const at = path.posix.join(folder.path, name);
  if (bytes === null && folder.raw === undefined) return { path: at };
  const above =
    folder.raw === undefined ? Buffer.from(folder.path && `${folder.path}/`).toString('hex') : `${folder.raw}2f`;
  return { path: at, raw: `${above}${(bytes ?? Buffer.from(name)).toString('hex')}` };
}

/** Two names of a folder may look the same. */
function keyOf({ name, bytes }: Pick<FolderName, 'name' | 'bytes'>): string {
  return bytes === null ? name : `/${bytes.toString('hex')}`;
}

/**
 * Reads what a layer changes of the folder below it. It costs what changed, not what is there. A file that was only
 * touched, or written again with the same content, is no change. A folder that is deleted, or became something else,
 * stands for its content.
 *
 * @throws Error where the layer holds more than this looks at; the file system's own errors
 */
export async function readDelta({
  up,
  live = false,
  since = Infinity,
  lower,
  hides,
}: EndedLayer): Promise<readonly LayerChange[]> {
  const found: Found = { changes: [], looked: 0, onlyBelow: [], close: [] };
  try {
    readFolder({ up, live, since, lower }, { path: '' }, found);
    const hidden = found.onlyBelow.length === 0 ? [] : await hides(found.onlyBelow.map(({ folder }) => folder));
    const gone = found.onlyBelow.flatMap(({ names }, index) => (hidden[index] === true ? names : []));
    // A person may have removed some meanwhile.
    const deleted = gone.flatMap((name) => goneAt(name, kindAt(lower.at(name))));
    return [...found.changes, ...deleted].sort((a, b) => (a.path < b.path ? -1 : 1));
  } finally {
    for (const close of found.close.toReversed()) close();
  }
}

interface Found {
  readonly changes: LayerChange[];
  looked: number;
  /** The folders of both trees, with what only the one below has: the layer may have made the folder anew. */
  readonly onlyBelow: { readonly folder: LayerName; readonly names: readonly LayerName[] }[];
  /** Give folders their modes back, the outermost first. */
  readonly close: (() => void)[];
}

const mostEntries = 200_000;

/** `lower` null: the folder is no folder there. */
function readFolder(
  trees: {
    readonly up: string;
    readonly live: boolean;
    readonly since: number;
    readonly lower: EndedLayer['lower'] | null;
  },
  folder: LayerName,
  found: Found,
): void {
  const own = nativeIn(trees.up, folder);
  const close = openedFor(trees.live, own);
  // One that is there keeps the mode that it has there, and what lands is read in it.
  if (trees.lower === null) found.close.push(close);
  const names = trees.live ? readableNames(own) : folderNames(own);
  found.looked += names.length;
  if (found.looked > mostEntries) throw new Error(`more than ${mostEntries} files were written outside the paths`);
  // No launch makes the top of its layer anew, and to ask costs a sandbox.
  if (trees.lower !== null && folder.path !== '') {
    const keys = new Set(names.map(keyOf));
    const only = trees.lower.names(folder).filter((one) => !keys.has(keyOf(one)));
    if (only.length > 0) found.onlyBelow.push({ folder, names: only.map((one) => inFolder(folder, one)) });
  }
  for (const one of names) {
    const name = inFolder(folder, one);
    const [mine, theirs] = [nativeIn(trees.up, name), trees.lower?.at(name) ?? null];
    const [what, below_it] = [kindAt(mine), theirs === null ? null : kindAt(theirs)];
    const before = below_it === 'whiteout' ? null : below_it;
    if (what === 'whiteout') found.changes.push(...goneAt(name, before));
    else {
      const stats = statOf(mine);
      const written = { name, mine, what: what ?? 'file', mode: (stats?.mode ?? 0) & 0o7777 };
      // A worker that goes on may remove it meanwhile.
      if (stats) found.changes.push(...changeOf(written, before === null ? null : theirs, trees));
    }
    if (what === 'folder') readFolder({ ...trees, lower: before === 'folder' ? trees.lower : null }, name, found);
  }
}

/** Makes it readable, but for a worker that goes on. */
function openedFor(live: boolean, at: NativePath): () => void {
  return live ? () => undefined : opened(at);
}

interface Written {
  readonly name: LayerName;
  readonly mine: NativePath;
  readonly what: StrayChange['what'];
  /** Its worker may have closed it. */
  readonly mode: number;
}

/** `theirs`: what is there below the layer; null: nothing. */
function changeOf(
  written: Written,
  theirs: NativePath | null,
  { live, since }: { readonly live: boolean; readonly since: number },
): readonly LayerChange[] {
  if (written.what !== 'file') return changesOf(written, theirs, since);
  const close = openedFor(live, written.mine);
  try {
    return changesOf(written, theirs, since);
  } finally {
    close();
  }
}

function changesOf(
  { name, mine, what, mode }: Written,
  theirs: NativePath | null,
  since: number,
): readonly LayerChange[] {
  const [now, was] = [statOf(mine), theirs === null ? undefined : statOf(theirs)];
  const sha256 = what === 'file' && now ? digestOfFile(mine) : null;
  // No program can set this time.
  const isTouched = was !== undefined && was.ctimeMs >= since;
  const change = { ...name, what, sha256, lines: null, ...(isTouched && { touched_below: true as const }) };
  if (theirs === null || was === undefined || now === undefined)
    return [{ ...change, kind: 'added', lines: newLines(mine, null) }];
  if (kindOfStats(was) !== what) return [{ ...change, kind: 'type_changed', lines: newLines(mine, null) }];
  const isSame =
    what === 'file'
      ? now.size === was.size && sha256 !== null && sha256 === digestOfFile(theirs)
      : what === 'link'
        ? fs.readlinkSync(mine, 'buffer').equals(fs.readlinkSync(theirs, 'buffer'))
        : what === 'folder';
  if (!isSame) return [{ ...change, kind: 'modified', lines: newLines(mine, theirs) }];
  return what !== 'link' && mode !== (was.mode & 0o7777) ? [{ ...change, kind: 'mode_changed' }] : [];
}

function goneAt(name: LayerName, before: Kind | null): readonly LayerChange[] {
  if (before === null || before === 'whiteout') return [];
  return [{ ...name, kind: 'deleted', what: before, sha256: null, lines: null }];
}

/** A removed name is a device with the number 0. */
type Kind = StrayChange['what'] | 'whiteout';

function kindAt(at: NativePath): Kind | null {
  const stats = statOf(at);
  return stats === undefined ? null : kindOfStats(stats);
}

function kindOfStats(stats: fs.Stats): Kind {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isFIFO()) return 'fifo';
  if (stats.isSocket()) return 'socket';
  return stats.isCharacterDevice() && stats.rdev === 0 ? 'whiteout' : 'device';
}

function statOf(at: NativePath): fs.Stats | undefined {
  return fs.lstatSync(at, { throwIfNoEntry: false });
}

/** The names in a folder of the tree; none where this user may not read it, as its worker could not. */
export function readableNames(folder: NativePath): readonly FolderName[] {
  try {
    return folderNames(folder);
  } catch {
    return [];
  }
}

const longestText = 1 << 20;

/** Counts the lines of a file that another one does not have; null: it is no text, or a long one. */
function newLines(file: NativePath, other: NativePath | null): number | null {
  const lines = linesOf(file);
  if (lines === null) return null;
  const left = new Map<string, number>();
  for (const line of (other === null ? null : linesOf(other)) ?? []) left.set(line, (left.get(line) ?? 0) + 1);
  let count = 0;
  for (const line of lines) {
    const known = left.get(line) ?? 0;
    if (known === 0) count += 1;
    else left.set(line, known - 1);
  }
  return count;
}

function linesOf(file: NativePath): readonly string[] | null {
  const text = textOf(file);
  if (text === undefined) return null;
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** Undefined: it is no text, a long one, or closed to this user. */
function textOf(file: NativePath): string | undefined {
  const stats = statOf(file);
  if (stats?.isFile() !== true || stats.size > longestText) return undefined;
  try {
    const text = fs.readFileSync(file, 'utf8');
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
