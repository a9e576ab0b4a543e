import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { errorCode, errorMessage } from '../../../base/outcome';
import type { LaunchLayers, Strays } from '../../../contracts/launch';
import { digestOf, readStrays } from './delta';

type Tree = NonNullable<LaunchLayers['tree']>;
type Landing = NonNullable<Tree['lands']>[number];

/** Finds what lies at names of a folder, for `endTree`. A link or a folder there is left to the layer. */
export function landingAt(folder: string, names: readonly string[]): readonly Landing[] {
  return names.flatMap((name) => {
    const sha256 = stateOf(path.join(folder, name));
    return sha256 === 'other' ? [] : [{ name, sha256 }];
  });
}

/**
 * Puts what an ended launch wrote to its files at the top of the workspace from its layer into it; then reads what else
 * it changed, as `readStrays`. That includes a file that another program changed since the layer was made, because this
 * one stays as it is. Each file is whole at each moment.
 *
 * @param stage a place on the file system of the workspace, where nothing is
 */
export async function endTree(layers: LaunchLayers, stage: string): Promise<Strays | null> {
  try {
    if (layers.tree) land(layers.tree, stage);
  } catch (error) {
    return { changes: [], more: 0, ignored: [], more_ignored: 0, trouble: errorMessage(error) };
  }
  return readStrays(layers);
}

function land({ at, up, lands = [] }: Tree, stage: string): void {
  for (const { name, sha256 } of lands) {
    const [mine, real] = [path.join(up, name), path.join(at, name)];
    const stats = fs.lstatSync(mine, { throwIfNoEntry: false });
    if (stats === undefined || stateOf(real) !== sha256) continue;
    // A verify command that goes on in this layer sees what lies there now.
    if (landOne({ mine, real, stage, stats }, sha256)) fs.rmSync(mine, { recursive: true, force: true });
  }
}

interface Landed {
  readonly mine: string;
  readonly real: string;
  readonly stage: string;
  readonly stats: fs.Stats;
}

/** Returns whether the workspace has it now. */
function landOne({ mine, real, stage, stats }: Landed, was: string | null): boolean {
  if (stats.isCharacterDevice() && stats.rdev === 0) {
    fs.rmSync(real, { force: true });
    return true;
  }
  if (stats.isDirectory() && was === null) {
    fs.cpSync(mine, stage, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    fs.renameSync(stage, real);
    return true;
  }
  return stats.isFile() && landFile({ mine, real, stage, stats }, was);
}

function landFile({ mine, real, stage, stats }: Landed, was: string | null): boolean {
  const mode = stats.mode & 0o7777;
  // Its worker may have closed it.
  if ((mode & 0o400) === 0) fs.chmodSync(mine, 0o600);
  if (stateOf(mine) === was) {
    if ((fs.lstatSync(real).mode & 0o7777) !== mode) fs.chmodSync(real, mode);
    return true;
  }
  fs.copyFileSync(mine, stage, fs.constants.COPYFILE_EXCL);
  if (process.geteuid?.() === 0) fs.chownSync(stage, stats.uid, stats.gid);
  fs.chmodSync(stage, mode);
  fs.utimesSync(stage, stats.atime, stats.mtime);
  if (was === null) return placeNew(stage, real);
  const aside = `${stage}-aside`;
  fs.linkSync(real, aside);
  fs.renameSync(stage, real);
  // A person may have saved it right before, in place: then that comes back.
  const isSame = stateOf(aside) === was;
  if (isSame) fs.rmSync(aside);
  else fs.renameSync(aside, real);
  return isSame;
}

/** A link() takes no name that came meanwhile. */
function placeNew(stage: string, real: string): boolean {
  try {
    fs.linkSync(stage, real);
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    return false;
  } finally {
    fs.rmSync(stage);
  }
}

/** The SHA-256 of a file, upper-case hex; null: nothing is there. */
function stateOf(at: string): string | null {
  const stats = fs.lstatSync(at, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  return (stats.isFile() ? digestOf(at) : null) ?? 'other';
}
