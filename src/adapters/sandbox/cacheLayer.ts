import fs from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { madeAnew, neverKept, writtenInPlace } from '../../contracts/vocabulary/caches';

export interface Layer {
  /** The person's folder. */
  readonly from: string;
  /** The private folder, which tools have written to. */
  readonly own: string;
  /** The place where the sandbox shows the person's folder, read-only. */
  readonly view: string;
}

/**
 * Adds to the layer what the person's cache has and the layer lacks. Folders, small files and files that tools write in
 * place become copies; other files become links into the view. Beyond the limit a whole folder becomes one link, which
 * is read-only. Returns whether everything is there.
 *
 * A tool owns the layer and may run meanwhile, so folders in it are opened without following its links.
 */
export async function fillLayer(layer: Layer, most = mostEntries): Promise<boolean> {
  const waiting: string[] = [''];
  let left = most;
  let since = performance.now();
  for (let below = waiting.shift(); below !== undefined; below = waiting.shift()) {
    const entries = listed(path.posix.join(layer.from, below));
    left -= entries.length;
    if (left < 0 && below !== '') {
      for (const one of [below, ...waiting]) {
        const { dir, base } = path.posix.parse(one);
        within(layer.own, dir, (folder) => fs.symlinkSync(path.posix.join(layer.view, one), `${folder}/${base}`));
      }
      return false;
    }
    const made = within(layer.own, path.posix.dirname(below), (folder) =>
      fs.mkdirSync(`${folder}/${path.posix.basename(below)}`),
    );
    const there = made ? new Set<string>() : new Set(listed(path.posix.join(layer.own, below)).map(({ name }) => name));
    const missing: fs.Dirent[] = [];
    for (const entry of entries) {
      if (neverKept.includes(entry.name)) continue;
      if (entry.isDirectory()) {
        if (!madeAnew.includes(entry.name)) waiting.push(path.posix.join(below, entry.name));
      } else if (!there.has(entry.name) || isNewer(layer, path.posix.join(below, entry.name))) missing.push(entry);
    }
    if (missing.length > 0)
      within(layer.own, below, (folder) => {
        for (const entry of missing) put(layer, path.posix.join(below, entry.name), entry, folder);
      });
    if (performance.now() - since > 5) {
      await nextTurn();
      since = performance.now();
    }
  }
  return true;
}

const mostEntries = 20_000;
const smallBytes = 16_384;
const mostCopied = 16 * 1024 * 1024;

function listed(folder: string): readonly fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // gone, no folder, or not readable for the tool either
  }
}

/** The person's file changed after the layer got its copy. A link is never older, because it shows that file. */
function isNewer({ from, own }: Layer, below: string): boolean {
  const mine = fs.lstatSync(path.posix.join(own, below), { throwIfNoEntry: false });
  if (mine?.isFile() !== true) return false;
  const theirs = fs.lstatSync(path.posix.join(from, below), { throwIfNoEntry: false });
  return theirs?.isFile() === true && theirs.mtimeMs > mine.mtimeMs;
}

/** Puts one entry into an open folder of the layer. Leaves out an entry that cannot be read. */
function put({ from, view }: Layer, below: string, entry: fs.Dirent, folder: string): void {
  const source = path.posix.join(from, below);
  const made = `${folder}/.mission-control-${process.pid}`;
  try {
    if (entry.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(source), made);
    else if (!entry.isFile()) return;
    else if (isCopied(entry.name, fs.lstatSync(source).size)) fs.copyFileSync(source, made, fs.constants.COPYFILE_EXCL);
    else fs.symlinkSync(path.posix.join(view, below), made);
    fs.renameSync(made, `${folder}/${entry.name}`);
  } catch {
    fs.rmSync(made, { force: true });
  }
}

function isCopied(name: string, size: number): boolean {
  return size <= smallBytes || (size <= mostCopied && writtenInPlace.test(name));
}

/** Runs `act` in a folder of the layer, by a path that no link in the layer can redirect. False: it failed. */
function within(own: string, below: string, act: (folder: string) => void): boolean {
  const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = fs.constants;
  let handle: number | null = null;
  try {
    handle = fs.openSync(own, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    for (const part of below.split('/').filter((one) => one !== '' && one !== '.')) {
      const next = fs.openSync(`/proc/self/fd/${handle}/${part}`, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      fs.closeSync(handle);
      handle = next;
    }
    act(`/proc/self/fd/${handle}`);
    return true;
  } catch {
    return false; // a tool has put something else there
  } finally {
    if (handle !== null) fs.closeSync(handle);
  }
}
