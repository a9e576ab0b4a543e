import fs from 'node:fs';
import path from 'node:path';
import { fewNamed } from '../../../base/text/firstNamed';
import { errorMessage } from '../../../base/outcome';
import { runFiles, type LaunchLayers, type StrayTexts, type Strays } from '../../../contracts/launch';
import { writeFileAtomic } from '../../files/atomic';
import {
  finishReplacing,
  heldAt,
  isSame,
  removeCopied,
  replaceIn,
  type Placed,
  type Wanted,
} from '../../files/replacing';
import { redactText, type Secrets } from '../../system/redact';
import { readStrays, strayTexts } from './delta';

type Tree = NonNullable<LaunchLayers['tree']>;
type Landing = NonNullable<Tree['lands']>[number];

/** Finds what lies at names of a folder, for `endTree`. A link or a folder there is left to the layer. */
export function landingAt(folder: string, names: readonly string[]): readonly Landing[] {
  return names
    .map((name) => ({ name, was: heldAt(path.join(folder, name)) }))
    .filter(({ was }) => was.kind === 'nothing' || was.kind === 'file');
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
  const clean = (text: string): string => redactText(text, secrets).text;
  const texts = layers.tree && gone ? strayTexts(layers.tree, strays) : [];
  if (texts.length > 0) {
    const shown = texts.map(({ path: at, before, after }): StrayTexts[number] => ({
      ...{ path: clean(at), before: before && clean(before), after: after && clean(after) },
    }));
    await writeFileAtomic(path.join(runDir, runFiles.strays), JSON.stringify(shown)).catch(() => undefined); // see above
  }
  // A worker chose the names.
  const changes = strays.changes.map((change) => ({ ...change, path: clean(change.path) }));
  return { ...strays, changes, ignored: strays.ignored.map(clean), trouble: strays.trouble && clean(strays.trouble) };
}

/**
 * Puts what an ended launch wrote to its files at the top of the workspace from its layer into it; then reads what else
 * it changed, as `readStrays`. That includes a file that another program changed since the layer was made, because this
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
  const landed = land(tree, own);
  const strays = await readStrays(tree);
  const trouble = [landed, strays?.trouble ?? null].filter((one) => one !== null);
  return trouble.length === 0 ? strays : { ...(strays ?? nothingRead), trouble: trouble.join(', and ') };
}

const nothingRead = { changes: [], more: 0, ignored: [], more_ignored: 0 };

/** Returns why it could not put everything there; null: it did. */
function land(tree: Tree, own: string): string | null {
  try {
    forget(tree, finishReplacing(tree.at, own));
    const all = replaceIn(
      tree.at,
      own,
      (tree.lands ?? []).flatMap((one) => wantedAt(tree, one)),
    );
    forget(tree, all);
    const [failed] = all.filter(({ trouble }) => trouble !== null);
    return failed ? `${failed.name} could not be put into the workspace (${failed.trouble ?? ''})` : null;
  } catch (error) {
    return `${fewNamed(writable(tree))} could not be put into the workspace (${errorMessage(error)})`;
  }
}

function writable({ lands = [] }: Tree): readonly string[] {
  return lands.map(({ name }) => name);
}

/** Removes from the layer what the workspace has now, also for a verify command that goes on in this layer. */
function forget({ up }: Tree, all: readonly Placed[]): void {
  for (const { name, placed } of all)
    if (placed && isWhiteout(path.join(up, name))) fs.rmSync(path.join(up, name));
    else if (placed) removeCopied(path.join(up, name));
}

/** A launch may replace, remove or make a file, and make a folder; another kind stays in its layer. */
function wantedAt({ at, up }: Tree, { name, was }: Landing): readonly Wanted[] {
  const from = path.join(up, name);
  const stats = fs.lstatSync(from, { throwIfNoEntry: false });
  const removes = isWhiteout(from);
  const isKind = removes || stats?.isFile() === true || (stats?.isDirectory() === true && was.kind === 'nothing');
  if (!isKind || isSame(heldAt(from), was) || !isSame(heldAt(path.join(at, name)), was)) return [];
  return [{ name, was, from: removes ? null : from }];
}

/** Returns whether a name of a layer hides the one below it. */
function isWhiteout(at: string): boolean {
  const stats = fs.lstatSync(at, { throwIfNoEntry: false });
  return stats?.isCharacterDevice() === true && stats.rdev === 0;
}
