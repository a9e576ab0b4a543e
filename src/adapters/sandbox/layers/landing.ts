import fs from 'node:fs';
import path from 'node:path';
import { fewNamed } from '../../../base/text/firstNamed';
import { errorWords } from '../../../base/outcome';
import {
  runFiles,
  type HeldState,
  type LaunchLayers,
  type StrayTexts,
  type Strays,
  type TreeLayer,
} from '../../../contracts/launch';
import { writeFileAtomic } from '../../files/atomic';
import { sha256Of } from '../../files/bytes/sha256';
import { lookAt, type NativePath } from '../../files/entry';
import { removeTree } from '../../files/removeTree';
import {
  finishReplacing,
  heldAt,
  heldBelow,
  isSame,
  removeCopied,
  replaceIn,
  type Placed,
  type Wanted,
} from '../../files/replacing';
import { redactText, secretsOfNames, type Secrets } from '../../system/redact';
import { inside } from '../facts/facts';
import { endedLayer, isBelow, keepsMode, nativeIn, readDelta, readStrays, strayTexts } from './delta';
import { madeFile } from './layers';

type Tree = NonNullable<LaunchLayers['tree']>;
type Landing = NonNullable<TreeLayer['lands']>[number];

/** Finds what lies at names of a folder, for `endTree`. A link there is left to the layer. */
export function landingAt(folder: string, names: readonly string[]): readonly Landing[] {
  return names
    .filter((name) => !names.some((other) => other !== name && inside(name, other)))
    .map((name) => ({ name, was: heldBelow(folder, name) }))
    .filter(({ was }) => was.kind === 'nothing' || was.kind === 'file' || was.kind === 'folder');
}

/**
 * Takes over from its layer what an ended launch wrote, as `endTree`. Keeps texts of the rest in its run directory: for
 * display alone, so a full disk costs nothing else.
 */
export async function takeOver(
  layers: LaunchLayers,
  runDir: string,
  { gone, secrets }: { readonly gone: boolean; readonly secrets: Secrets },
): Promise<Strays | null> {
  const strays = await endTree(layers, path.join(runDir, runFiles.landing), gone);
  if (strays === null) return null;
  const clean = (text: string): string => redactText(text, secretsOfNames(secrets)).text;
  const cleanText = (text: string): string => redactText(text, secrets).text;
  const texts = layers.tree && gone ? strayTexts(layers.tree, strays) : [];
  if (texts.length > 0) {
    const shown = texts.map(({ path: at, before, after }): StrayTexts[number] => ({
      ...{ path: clean(at), before: before && cleanText(before), after: after && cleanText(after) },
    }));
    await writeFileAtomic(path.join(runDir, runFiles.strays), JSON.stringify(shown)).catch(() => undefined); // see above
  }
  // A worker chose the names.
  const changes = strays.changes.map((change) => ({ ...change, path: clean(change.path) }));
  return { ...strays, changes, ignored: strays.ignored.map(clean), trouble: strays.trouble && clean(strays.trouble) };
}

/**
 * Puts what an ended launch wrote to its approved paths from its layer into the workspace; then reads what else it
 * changed, as `readStrays`. That includes a file that another program changed since the layer was made, because this
 * one stays as it is.
 *
 * @param own of this launch, on the file system of the workspace; a killed process may have left it
 * @param gone false: a process of the launch may be alive, so the layer is left alone
 */
export async function endTree({ tree }: LaunchLayers, own: string, gone: boolean): Promise<Strays | null> {
  if (tree === undefined) return null;
  if (!gone) {
    const names = writable(tree);
    const lost = names.length === 0 ? '' : `, so what it wrote to ${fewNamed(names)} is not in the workspace`;
    return { ...nothingRead, trouble: `a process of the launch may still write into its layer${lost}` };
  }
  const landed = tree.waits || tree.below ? await willLand(tree) : await land(tree, own);
  const strays = await readStrays(tree, landed.names);
  const trouble = [landed.trouble, strays?.trouble ?? null].filter((one) => one !== null);
  return trouble.length === 0 ? strays : { ...(strays ?? nothingRead), trouble: trouble.join(', and ') };
}

/** Returns what waits in the layer and can be put into the workspace as it is now. */
async function willLand(tree: Tree): ReturnType<typeof land> {
  if (tree.below) return { names: new Set(), trouble: null };
  try {
    return { names: new Set((await wantedOf(tree)).map(({ name }) => name)), trouble: null };
  } catch (error) {
    const trouble = `${fewNamed(writable(tree))} cannot be read in its layer (${errorWords(error)})`;
    return { names: new Set(), trouble };
  }
}

/** What became of work that waited in a layer. Names of both kinds are few or many. */
export type Landed =
  /** All of it is in the workspace. */
  | { readonly kind: 'landed' }
  /** Something else changed these, so nothing was put there. */
  | { readonly kind: 'changed'; readonly names: readonly string[] }
  /** The layer is not there, so what it held is lost. */
  | { readonly kind: 'gone' }
  /** `trouble`: a part of a sentence. */
  | { readonly kind: 'failed'; readonly trouble: string };

/**
 * Puts what waits in a layer into the workspace: all of it, or nothing where something else changed a part meanwhile.
 * A later call goes on where a killed process stopped, and does nothing if it had ended.
 *
 * @param runDir of the launch; no worker writes there
 * @param whyNot returns the names that must not land, before anything does
 */
export async function landWork(
  tree: TreeLayer,
  runDir: string,
  whyNot: (wanted: readonly Wanted[]) => Promise<readonly string[]>,
): Promise<Landed> {
  const [own, done] = [path.join(runDir, runFiles.landing), path.join(runDir, runFiles.landed)];
  try {
    const begun = [...finishReplacing(tree.at, own, done)];
    if (lookAt(done) === undefined) {
      if (begun.length === 0) {
        if (isGone(tree)) return { kind: 'gone' };
        const wanted = await wantedOf(tree);
        const changed = [...new Set([...(await notWanted(tree, wanted)), ...(await whyNot(wanted))])].sort();
        if (changed.length > 0) return { kind: 'changed', names: changed };
        begun.push(...replaceIn(tree.at, own, wanted, done));
      }
      const failed = begun.find(({ trouble }) => trouble !== null);
      if (failed) return { kind: 'failed', trouble: `${failed.name}: ${failed.trouble ?? ''}` };
      const late = begun.filter(({ placed }) => !placed).map(({ name }) => name);
      if (late.length === begun.length && late.length > 0) return { kind: 'changed', names: late };
      if (late.length > 0)
        return { kind: 'failed', trouble: `something else changed ${fewNamed(late)} while the rest was put there` };
      await writeFileAtomic(done, '');
    }
    await removeTree(path.dirname(tree.up)).catch(() => undefined); // the next attempt removes it
    return { kind: 'landed' };
  } catch (error) {
    return { kind: 'failed', trouble: errorWords(error) };
  }
}

/** Returns what a layer holds of the approved paths and cannot land, because something else stands there. */
async function notWanted(tree: TreeLayer, wanted: readonly Wanted[]): Promise<readonly string[]> {
  const names = new Set(wanted.map(({ name }) => name));
  return (await readDelta(endedLayer(tree)))
    .filter(({ what, kind }) => ['file', 'folder', 'link'].includes(what) && !keepsMode({ what, kind }))
    .map((change) => change.path)
    .filter((at) => isOfPaths(tree, at) && !isBelow(at, names));
}

/**
 * Removes from a layer what its launch wrote outside its paths: no later launch may see it. Returns a name that the
 * layer still hides, because its launch made the folder around the paths anew. Null: it hides none.
 */
export async function dropStrays(tree: TreeLayer): Promise<string | null> {
  const isAround = (at: string): boolean => tree.lands?.some(({ name }) => inside(name, at)) === true;
  for (const change of await readDelta(endedLayer(tree))) {
    const { path: name, kind } = change;
    if (isOfPaths(tree, name) || isAround(name)) continue;
    const at = nativeIn(tree.up, change);
    if (kind === 'deleted' && !isWhiteout(at)) return name;
    await removeTree(at);
  }
  return null;
}

function isOfPaths({ lands = [] }: TreeLayer, at: string): boolean {
  return lands.some(({ name }) => inside(at, name));
}

/** Returns whether a layer is not there, in which work waited: it was removed, or another one is in its place. */
export function isGone({ up, since }: TreeLayer): boolean {
  if (lookAt(up) === undefined) return true;
  // What cannot be read says nothing.
  const made = heldAt(path.join(path.dirname(up), madeFile));
  return made.kind === 'file' && made.sha256 !== sha256Of(String(since));
}

/** Returns what a launch changed in its approved paths and nothing else changed, in the order in which it lands. `live`: by now. */
export async function wantedOf(tree: TreeLayer, live = false): Promise<readonly Wanted[]> {
  if (isGone(tree)) throw new Error('the layer that held the work is gone');
  return [...(tree.lands ?? []).flatMap((one) => wantedAt(tree, one)), ...(await wantedBelow(tree, live))];
}

const nothingRead = { changes: [], more: 0, ignored: [], more_ignored: 0 };

/** Returns what it put there, and why it could not put everything there; null: it did. */
async function land(tree: Tree, own: string): Promise<{ names: ReadonlySet<string>; trouble: string | null }> {
  const names = new Set<string>();
  const note = (all: readonly Placed[]): readonly Placed[] => {
    for (const { name, placed } of all) if (placed) names.add(name);
    forget(tree, all);
    return all;
  };
  try {
    note(finishReplacing(tree.at, own));
    const all = note(replaceIn(tree.at, own, await wantedOf(tree)));
    const failed = all.find(({ trouble }) => trouble !== null);
    return { names, trouble: failed ? notPut(failed.name, failed.trouble ?? '') : null };
  } catch (error) {
    return { names, trouble: notPut(fewNamed(writable(tree)), errorWords(error)) };
  }
}

function notPut(names: string, why: string): string {
  return `${names} could not be put into the workspace (${why})`;
}

function writable({ lands = [] }: TreeLayer): readonly string[] {
  return lands.map(({ name }) => name);
}

/**
 * Removes from the layer what the workspace has now, also for a verify command that goes on in this layer. What is below
 * a folder stays, because a folder that was made anew would hide what is there now.
 */
function forget({ up, lands = [] }: Tree, all: readonly Placed[]): void {
  for (const { name, placed } of all)
    if (!placed || !lands.some((one) => one.name === name && one.was.kind !== 'folder')) continue;
    else if (isWhiteout(path.join(up, name))) fs.rmSync(path.join(up, name));
    else removeCopied(path.join(up, name));
}

/** Returns what another task put there and this layer took in; undefined: it took in nothing of that name. */
export function mergedIn({ merged = [] }: TreeLayer, name: string): HeldState | undefined {
  return merged.findLast((one) => one.name === name)?.was;
}

/** A launch may replace, remove or make a file, and make a folder; another kind stays in its layer. */
function wantedAt(tree: TreeLayer, { name, was: made }: Landing): readonly Wanted[] {
  if (made.kind === 'folder') return [];
  const { at, up } = tree;
  const was = mergedIn(tree, name) ?? made;
  const from = path.join(up, name);
  const stats = lookAt(from);
  const removes = isWhiteout(from);
  const isKind = removes || stats?.isFile() === true || (stats?.isDirectory() === true && was.kind === 'nothing');
  if (!isKind || isSame(heldAt(from), was) || !isSame(heldBelow(at, name), was)) return [];
  return [{ name, was, from: removes ? null : from }];
}

/**
 * Finds what a launch changed in its approved folders, a folder before its content. What something else touched there
 * since the layer was made stays. The worker's version of it stays in the layer.
 */
async function wantedBelow(tree: TreeLayer, live: boolean): Promise<readonly Wanted[]> {
  const folders = (tree.lands ?? []).filter(({ was }) => was.kind === 'folder').map(({ name }) => name);
  if (folders.length === 0) return [];
  const wanted: Wanted[] = [];
  const whole = new Set<string>();
  for (const { path: name, raw, kind, what } of await readDelta(endedLayer(tree, live))) {
    if (raw !== undefined) continue;
    const isNew = kind === 'added' || kind === 'type_changed';
    const isPart = whole.has(path.posix.dirname(name));
    if (isNew && what === 'folder' && (isPart || folders.some((one) => inside(name, one)))) whole.add(name);
    if (isPart || !folders.some((one) => inside(name, one))) continue;
    const gone = kind === 'deleted' || kind === 'type_changed' ? removals(tree, name) : [];
    // What cannot go as a whole stays as a whole, and what should take its place waits in the layer.
    const isWhole = gone.at(-1)?.name === name || heldBelow(tree.at, name).kind === 'nothing';
    if (isWhole) wanted.push(...gone);
    if (kind === 'type_changed' && !isWhole) continue;
    if (kind === 'deleted' || !['file', 'folder', 'link'].includes(what)) continue;
    const from = path.join(tree.up, name);
    if (isNew) wanted.push({ name, was: { kind: 'nothing' }, from });
    else if (what !== 'folder' && isOlder(tree, name)) wanted.push({ name, was: heldBelow(tree.at, name), from });
  }
  return wanted;
}

/** Removes an entry with its content, the deepest first. */
function removals(tree: TreeLayer, name: string): readonly Wanted[] {
  const was = heldBelow(tree.at, name);
  if (was.kind === 'nothing' || (was.kind !== 'folder' && !isOlder(tree, name))) return [];
  const names = was.kind === 'folder' ? fs.readdirSync(path.join(tree.at, name)) : [];
  const inner = names.map((one) => path.posix.join(name, one));
  const wanted = inner.flatMap((one) => removals(tree, one));
  const isWhole = inner.every((one) => wanted.some((other) => other.name === one));
  return isWhole ? [...wanted, { name, was, from: null }] : wanted;
}

/**
 * Returns whether nothing touched a file of the workspace since the layer was made: no program can set this time. True
 * also for what the layer took in of another task.
 */
function isOlder(tree: TreeLayer, name: string): boolean {
  const { at, since = 0 } = tree;
  const merged = mergedIn(tree, name);
  if (merged) return isSame(heldBelow(at, name), merged);
  const stats = lookAt(path.join(at, name));
  return stats !== undefined && stats.ctimeMs < since;
}

/** Returns whether a name of a layer hides the one below it. */
export function isWhiteout(at: NativePath): boolean {
  const stats = lookAt(at);
  return stats?.isCharacterDevice() === true && stats.rdev === 0;
}
