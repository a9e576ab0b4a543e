import { isThere } from '../../files/replacing';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { errorCode, errorWords } from '../../../base/outcome';
import type { CacheChanges, ExitRecord, LaunchLayers } from '../../../contracts/launch';
import { signInDepth, signIns } from '../../../contracts/vocabulary/files/caches';
import { removeTree } from '../../files/removeTree';
import { whileLocked } from '../../user/lock';
import { cacheFolder } from './caches';
import { lockEnding } from './layers';

/**
 * Keeps what a launch added to the caches of tools. Call it when no process of the launch is left. What the person has
 * stays, also above what is kept.
 *
 * @returns what the launch changed in caches; null: nothing
 */
export async function keepLayers(layers: LaunchLayers): Promise<CacheChanges | null> {
  const found: Found = { kept: 0, names: [], changed: [], leftOut: [] };
  let trouble: string | null = null;
  const upOf = (at: string): string => path.join(cacheFolder(layers.folder, at), 'up');
  try {
    const written = layers.caches.filter((at) => holdsAny(upOf(at)));
    if (written.length === 0) return null;
    fs.mkdirSync(layers.kept, { recursive: true, mode: 0o700 });
    // Alone, because files that belong together come from one launch.
    await whileLocked(lockOf(layers.kept), async () => {
      for (const at of written) {
        await keepFolder(
          { at, keeps: layers.kept_if !== 'never', up: upOf(at), kept: cacheFolder(layers.kept, at) },
          '',
          found,
        );
      }
    });
  } catch (error) {
    trouble = errorWords(error);
  }
  const { kept, names, changed, leftOut } = found;
  if (kept + changed.length + leftOut.length === 0 && trouble === null) return null;
  const more = Math.max(0, changed.length - mostNamed) + Math.max(0, leftOut.length - mostNamed);
  return {
    ...{ kept, names: names.slice(0, mostNamed), changed: changed.slice(0, mostNamed) },
    ...{ left_out: leftOut.slice(0, mostNamed), more, trouble },
  };
}

/** Removes the layers of a launch, but for those in which another one goes on. */
export async function removeLayers(
  { folder, kept, kept_if, tree }: LaunchLayers,
  end: Pick<ExitRecord, 'exit_code'> | null,
): Promise<void> {
  const passed = end?.exit_code === 0;
  const own = tree === undefined || (tree.waits ?? (tree.goes_on === true && passed)) ? [] : [path.dirname(tree.up)];
  const isKept = kept_if === undefined || (kept_if === 'passed' && passed);
  const shared = isKept ? [] : [kept, lockOf(kept)];
  for (const one of [folder, ...own, ...shared]) await removeTree(one).catch(() => undefined); // the next launch of this workspace removes it
}

const lockOf = (kept: string): string => `${kept}${lockEnding}`;

const mostNamed = 50;

interface Found {
  kept: number;
  readonly names: string[];
  readonly changed: string[];
  readonly leftOut: string[];
}

/** Also true: its worker closed it. */
function holdsAny(folder: string): boolean {
  try {
    return fs.readdirSync(folder).length > 0;
  } catch {
    return true;
  }
}

interface Cache {
  readonly at: string;
  /** False: no later launch finds what is kept, so nothing is. */
  readonly keeps: boolean;
  readonly up: string;
  readonly kept: string;
}

/** `below`: the folder, relative to the cache. It is no link, in the layer nor in what is kept. */
async function keepFolder(cache: Cache, below: string, found: Found): Promise<void> {
  const from = path.join(cache.up, below);
  const into = path.join(cache.kept, below);
  const mode = fs.lstatSync(from).mode & 0o777;
  if ((mode & 0o700) !== 0o700) fs.chmodSync(from, mode | 0o700);
  const isNew = cache.keeps && !isThere(into);
  if (isNew) fs.mkdirSync(into, { mode: 0o700 });
  else if (cache.keeps && !fs.lstatSync(into).isDirectory()) return; // a launch kept a file there
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const name = path.join(below, entry.name);
    if (signIns.test(entry.name) && name.split('/').length <= signInDepth)
      found.leftOut.push(path.join(cache.at, name));
    else if (entry.isDirectory()) await keepFolder(cache, name, found);
    // A name without a file (a whiteout) is a device: deletions are not kept, nor sockets.
    else if (entry.isFile() || entry.isSymbolicLink()) await keepFile(cache, name, found);
  }
  // Go leaves its folders read-only.
  if (isNew) fs.chmodSync(into, mode | 0o300);
}

async function keepFile({ at, keeps, up, kept }: Cache, below: string, found: Found): Promise<void> {
  const [from, into, persons] = [path.join(up, below), path.join(kept, below), path.join(at, below)];
  if (isThere(persons)) {
    if (!(await isSame(from, persons))) found.changed.push(persons);
    return;
  }
  if (!keeps) return;
  if (isThere(into)) {
    if (fs.lstatSync(into).isDirectory() || (await isSame(from, into))) return;
    found.changed.push(persons);
    fs.renameSync(from, into);
    return;
  }
  if (fs.lstatSync(from).isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(from), into);
  else fs.linkSync(from, into);
  found.kept += 1;
  found.names.push(persons);
}

/** Compares by digest, because a launch sets times as it likes. False: one of them cannot be read. */
async function isSame(one: string, other: string): Promise<boolean> {
  const [a, b] = [fs.lstatSync(one), fs.lstatSync(other)];
  if (a.isSymbolicLink() && b.isSymbolicLink()) return fs.readlinkSync(one) === fs.readlinkSync(other);
  if (!a.isFile() || !b.isFile() || a.size !== b.size) return false;
  try {
    return (await digestOf(one)) === (await digestOf(other));
  } catch (error) {
    if (errorCode(error) === 'EACCES') return false;
    throw error;
  }
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(fs.createReadStream(file), hash);
  return hash.digest('hex');
}
