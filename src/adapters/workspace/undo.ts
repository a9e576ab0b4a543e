import { chmodSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { foldersAbove, gitMode, notAsLeft, sameMode } from '../../base/fileState';
import type { HeldState } from '../../contracts/launch';
import type { UndoStep } from '../../core/lifecycle/changes/undoPlan';
import type { BeforeQuery } from '../../engine/ports/contents';
import type { UndoFacts, UndoRequest } from '../../engine/ports/workspace';
import { sha256Of } from '../files/bytes/sha256';
import { modeOf, type ManifestEntry, mayBeEscaped, foundAt } from '../files/entry';
import { ownFolder } from '../files/leftOutFolders';
import { finishReplacing, heldBelow, replaceIn, type Wanted } from '../files/replacing';
import { inScratchFolder } from '../files/scratch';
import { readWorkspaceFile } from '../files/place';
import { contentsBefore } from './contentsBefore';
import { put } from './copies';
import { usualMode, type Manifest } from './manifest/manifest';
import { copiesOf } from './manifest/place';

interface Place {
  /** Real absolute path of the workspace. */
  readonly root: string;
  readonly user_state: string;
}

type Baseline = Pick<Manifest, 'entries' | 'facts'>;

/** A step whose file is as the attempt left it. */
type Ready = UndoStep & { readonly was: HeldState };

/**
 * Puts files back as `Workspace.undo` says, and follows no link. First copies what it replaces or removes beside the
 * baseline's copies, so that a redo finds it. After a kill the next call with the same steps finishes them, because
 * each step asks what lies there.
 *
 * @param baseline knows modes, and folders that were there; null: unknown
 */
export async function undoIn(place: Place, request: UndoRequest, baseline: Baseline | null): Promise<UndoFacts> {
  const { root } = place;
  const entries = baseline?.entries ?? null;
  const kept = copiesOf(place.user_state, root, request.mission_id);
  const mission = path.join(root, ownFolder, 'missions', request.mission_id);
  const own = path.join(mission, 'undo');
  if (!request.only_look) finishReplacing(root, own);
  return inScratchFolder('mission-undo', async (scratch) => {
    const left = new Map<string, string>();
    const leaves = new Set(request.leaves);
    const ready: Ready[] = [];
    for (const step of request.steps) {
      const found = await readiness(place, request, step);
      if (typeof found === 'string') left.set(step.path, found);
      else if (found !== null) ready.push({ ...step, was: found });
    }
    const files = await bytesOf(place, request, ready, scratch);
    const stays = ready.flatMap(({ path: name }) =>
      leaves.has(name) ? [[name, 'was to stay as it is'] as const] : [],
    );
    for (const [name, why] of [...stays, ...files.lost]) left.set(name, why);
    const all = ready.filter(({ path: name }) => !left.has(name));
    const above = missing(root, all, { baseline, modes: notedModes(kept) });
    if (!request.only_look && all.length > 0) {
      const wanted = all.map((step): Wanted => ({
        name: step.path,
        was: step.was,
        from: source(step, files, entries),
      }));
      mkdirSync(mission, { recursive: true });
      const removed = wanted.filter(({ from }) => from === null);
      const stand = wanted.filter(({ from }) => from !== null);
      const names = new Set(stand.map(({ name }) => name));
      const isInTheWay = (folder: string): boolean => [...foldersAbove(folder), folder].some((one) => names.has(one));
      const empty = emptied(removed, entries, isInTheWay);
      keepModes(kept, root, empty);
      const placed = replaceIn(root, own, [
        ...removed,
        // A file is to stand where a folder is.
        ...empty.filter(({ name }) => isInTheWay(name)),
        ...above.map((folder, index) => madeFolder(folder, path.join(scratch, `folder-${index}`))),
        ...stand,
        ...empty.filter(({ name }) => !isInTheWay(name)),
      ]);
      const isPut = (folder: string): boolean => names.has(folder) && heldBelow(root, folder).kind !== 'folder';
      const troubles = new Map(placed.map(({ name, trouble }) => [name, trouble]));
      for (const { path: name, to } of all) {
        // No file is there. Other steps put a folder back, or a file or link in place of a folder above.
        if (to.kind === 'nothing' && (heldBelow(root, name).kind === 'folder' || foldersAbove(name).some(isPut)))
          continue;
        if (notAsLeft(to, await foundAt(root, name)) !== null)
          left.set(name, troubles.get(name) ?? 'changed right before it was put back');
      }
    }
    const paths = request.steps.flatMap(({ path: name }) => (left.has(name) ? [] : [name]));
    const narrowed = ready.flatMap((step) =>
      !left.has(step.path) && step.to.kind === 'file' && modeFor(step, entries) === null ? [step.path] : [],
    );
    const folders = above.flatMap(({ name, mode }) => (mode === null ? [name] : []));
    return { paths, left: [...left].map(([name, why]) => ({ path: name, why })), narrowed, folders };
  });
}

/** Returns what is to be replaced, and keeps a copy of it; null: it is as wanted already; a sentence: why it stays. */
async function readiness(
  { root, user_state }: Place,
  { mission_id, only_look, steps }: UndoRequest,
  { path: name, from, to }: UndoStep,
): Promise<HeldState | null | string> {
  const now = await foundAt(root, name);
  if (notAsLeft(to, now) === null) return null;
  const how = notAsLeft(from, now);
  const isFolder = from.kind === 'nothing' && heldBelow(root, name).kind === 'folder';
  // What the attempt put into the folder is removed first; what else lies there keeps it.
  const isOwnFolder = isFolder && steps.some((one) => one.path.startsWith(`${name}/`) && one.to.kind === 'nothing');
  if (how !== null && !isOwnFolder) return how;
  if (mayBeEscaped(name)) return 'cannot be put back, because its name is no text';
  if (to.kind === 'unknown') return `cannot be put back, because ${to.why}`;
  if (now.kind === 'nothing' || isOwnFolder) return { kind: 'nothing' };
  const was = heldBelow(root, name);
  if (was.kind !== 'file') return was;
  const read = await readWorkspaceFile(root, name);
  if (read.kind !== 'file') return 'could not be kept for a redo, because it is too large or cannot be read';
  const sha256 = sha256Of(read.bytes);
  if (now.kind !== 'file' || sha256 !== now.sha256 || was.sha256 !== sha256) return 'changes at this moment';
  if (only_look || put(copiesOf(user_state, root, mission_id), sha256, read.bytes)) return was;
  return 'could not be kept for a redo, because its copy could not be written';
}

interface Bytes {
  readonly folder: string;
  /** By path, the name of the file with its bytes in that folder. */
  readonly names: ReadonlyMap<string, string>;
  readonly lost: ReadonlyMap<string, string>;
}

/** Collects the bytes that are put back: from the copies of the mission, else from git. */
async function bytesOf(
  { root, user_state }: Place,
  request: UndoRequest,
  ready: readonly Ready[],
  folder: string,
): Promise<Bytes> {
  const names = new Map<string, string>();
  const lost = new Map<string, string>();
  const keep = (index: number, bytes: Buffer): void => {
    const name = `file-${index}`;
    writeFileSync(path.join(folder, name), bytes, { mode: 0o600 });
    names.set(ready[index]?.path ?? '', name);
  };
  const read = async (some: readonly number[]): Promise<void> => {
    const queries = some.flatMap((index) => queryOf(request, ready[index]));
    const found = await contentsBefore(root, user_state, request.mission_id, queries, (at, bytes) =>
      keep(some[at] ?? 0, bytes),
    );
    for (const [at, query] of queries.entries()) {
      const content = found[at];
      if (names.has(query.path)) lost.delete(query.path);
      else
        lost.set(
          query.path,
          `cannot be put back, because ${content?.kind === 'unknown' ? content.reason : 'its bytes were not kept'}`,
        );
    }
  };
  const asked: number[] = [];
  for (const [index, { path: name, to, was }] of ready.entries()) {
    if (to.kind !== 'file') continue;
    // Only its mode changed.
    const file = was.kind === 'file' && was.sha256 === to.sha256 ? await readWorkspaceFile(root, name) : null;
    if (file?.kind === 'file') keep(index, file.bytes);
    else asked.push(index);
  }
  for (let from = 0; from < asked.length; from += filesAtOnce) await read(asked.slice(from, from + filesAtOnce));
  // A file may have been too large beside the others.
  for (const index of asked) if (lost.has(ready[index]?.path ?? '')) await read([index]);
  return { folder, names, lost };
}

/** Together they are far smaller than what is read at once, unless one is large. */
const filesAtOnce = 20;

function queryOf({ baseline_sha256, head }: UndoRequest, step: Ready | undefined): readonly BeforeQuery[] {
  if (step?.to.kind !== 'file') return [];
  const { path: name, to, kept } = step;
  const baselines = baseline_sha256 === null ? [] : [baseline_sha256];
  return [{ path: name, sha256: to.sha256, kept, baselines, heads: head === null ? [] : [head] }];
}

/** The file or link that is to stand there; null: nothing. */
function source(
  step: Ready,
  { folder, names }: Bytes,
  entries: ReadonlyMap<string, ManifestEntry> | null,
): string | null {
  const { path: name, to } = step;
  if (to.kind === 'link') {
    const link = path.join(folder, `link-${names.size}-${sha256Of(name)}`);
    symlinkSync(to.target, link);
    return link;
  }
  if (to.kind !== 'file') return null;
  const file = path.join(folder, names.get(name) ?? '');
  // What git stores of it, for the owner alone: the bytes may be private.
  chmodSync(file, modeFor(step, entries) ?? Number.parseInt(gitMode(to.mode ?? '644'), 8) & 0o6700);
  return file;
}

/** The whole mode that a file had: as recorded, else of the baseline, where git would store it alike. Null: unknown. */
function modeFor({ path: name, to, was }: Ready, entries: ReadonlyMap<string, ManifestEntry> | null): number | null {
  if (to.kind !== 'file') return null;
  if (to.mode !== null && to.mode.length >= 4) return Number.parseInt(to.mode, 8);
  const entry = entries?.get(name);
  if (entry?.sha256 === to.sha256 && (to.mode === null || sameMode(to.mode, modeOf(entry)))) return entry.mode;
  // These bytes can be read there now with this mode.
  if (was.kind === 'file' && was.sha256 === to.sha256 && to.mode === null) return was.mode;
  // Windows keeps no mode.
  return process.platform === 'win32' ? 0o644 : null;
}

function notedModes(kept: string): Map<string, number> {
  const modes = new Map<string, number>();
  try {
    const read = JSON.parse(readFileSync(path.join(kept, noteOfModes), 'utf8')) as unknown;
    for (const [name, mode] of Object.entries(read ?? {}))
      if (typeof mode === 'number' && Number.isInteger(mode)) modes.set(name, mode & 0o7777);
  } catch {
    // Without the note a folder is for its owner alone.
  }
  return modes;
}

const noteOfModes = 'folders.json';

/** Notes the modes of folders that are removed, for a redo. */
function keepModes(kept: string, root: string, folders: readonly Wanted[]): void {
  const modes = notedModes(kept);
  if (folders.length === 0) return;
  for (const { name } of folders) {
    const stats = lstatSync(path.join(root, name), { throwIfNoEntry: false });
    if (stats?.isDirectory() === true) modes.set(name, stats.mode & 0o7777);
  }
  put(kept, noteOfModes, JSON.stringify(Object.fromEntries(modes)));
}

/** A folder that will be missing. `mode` null: unknown. */
interface MissingFolder {
  readonly name: string;
  readonly mode: number | null;
}

/** Folders that will be missing above what is to stand, the outermost first, with the mode that they had. */
function missing(
  root: string,
  steps: readonly Ready[],
  { baseline, modes }: { baseline: Baseline | null; modes: ReadonlyMap<string, number> },
): readonly MissingFolder[] {
  const folders = new Set(steps.flatMap(({ path: name, to }) => (to.kind === 'nothing' ? [] : foldersAbove(name))));
  const removed = new Set(steps.flatMap(({ path: name, to }) => (to.kind === 'nothing' ? [name] : [])));
  const known = baseline?.facts.mode;
  // A baseline of an earlier version knows no modes.
  const usual = new Set(known?.has('') === true ? [...(baseline?.entries.keys() ?? [])].flatMap(foldersAbove) : []);
  return [...folders]
    .sort((one, other) => one.length - other.length)
    .flatMap((name): readonly MissingFolder[] => {
      if (!removed.has(name) && heldBelow(root, name).kind !== 'nothing') return [];
      return [{ name, mode: known?.get(name) ?? (usual.has(name) ? usualMode : modes.get(name)) ?? null }];
    });
}

/** Makes the folder in the place from which it is put; its owner writes into it now. */
function madeFolder({ name, mode }: MissingFolder, from: string): Wanted {
  mkdirSync(from);
  chmodSync(from, (mode ?? 0) | 0o700);
  return { name, was: { kind: 'nothing' }, from };
}

/**
 * The folders that become empty by what is removed, the innermost first: those that the baseline did not have, and those
 * in the way of a file.
 */
function emptied(
  removed: readonly Wanted[],
  entries: ReadonlyMap<string, ManifestEntry> | null,
  isInTheWay: (folder: string) => boolean,
): readonly Wanted[] {
  const known = entries && new Set([...entries.keys()].flatMap(foldersAbove));
  const goes = (folder: string): boolean => isInTheWay(folder) || known?.has(folder) === false;
  const folders = new Set(removed.flatMap(({ name }) => foldersAbove(name)).filter(goes));
  return [...folders]
    .sort((one, other) => other.length - one.length)
    .map((name) => ({ name, was: { kind: 'folder' }, from: null }));
}
