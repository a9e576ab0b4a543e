import { type HardLinks, type PlaceFacts, type HeldPlace, type Mount, Slice } from '../facts/facts';
import { decideHardLinks, type LinkedPlace, type Scan, type ScannedFolder } from './hardLinks';
import { layOut } from '../bubblewrap/mounts';
import { lstatSync, readdirSync, type Dirent, type Stats } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../../files/entry';
import { statsOf } from '../../files/regular';

/** Finds the hard links that lead out of the places that a layout makes writable. */
export async function findHardLinks(facts: PlaceFacts): Promise<HardLinks> {
  return decideHardLinks(await scanWritable(layOut(facts).mounts));
}

/**
 * Finds files with several names in everything that mounts make writable. Follows no link. Asks the disk synchronously,
 * because that takes a quarter of the time. Works in slices, because a window waits for this thread.
 *
 * @param most the scan ends after this many entries
 */
export async function scanWritable(mounts: readonly Mount[], most = mostEntries): Promise<Scan> {
  const places = new Set(mounts.map(({ at }) => at));
  const found = new Found();
  const slice = new Slice();
  let left = most;
  const waiting: Folder[] = [];
  const enter = (place: HeldPlace, parent: Folder | null): void => {
    const folder = { at: place.at, from: place.from, parent, files: 0 };
    found.folders.push(folder);
    waiting.push(folder);
  };
  for (const mount of mounts) if (mount.kind === 'write') enter(mount, null);
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const entries = list(folder.from);
    if (slice.isOver()) await slice.next();
    if (entries === 'unreadable') found.unreadable.push(folder);
    else if (entries === 'file') found.look(folder, null);
    if (typeof entries === 'string') continue;
    for (const entry of entries) {
      if ((left -= 1) < 0) return found.scan(false);
      if (slice.isOver()) await slice.next();
      const place = { at: path.posix.join(folder.at, entry.name), from: path.posix.join(folder.from, entry.name) };
      if (places.has(place.at)) continue;
      if (entry.isDirectory()) enter(place, folder);
      if (!entry.isFile()) continue;
      folder.files += 1;
      found.look(place, folder);
    }
  }
  return found.scan(true);
}

type Folder = ScannedFolder & { files: number };

const mostEntries = 2_000_000;

class Found {
  readonly folders: Folder[] = [];
  readonly unreadable: HeldPlace[] = [];
  readonly #files = new Map<string, { nlink: number; readonly names: Set<string>; readonly places: LinkedPlace[] }>();
  readonly #ids = new Map<string, string>();

  look({ at, from }: HeldPlace, folder: ScannedFolder | null): void {
    const stats = statsOf(from);
    if (stats === null || !stats.isFile() || stats.nlink < 2) return;
    const id = idOf(from, stats);
    const known = this.#files.get(id) ?? { nlink: 0, names: new Set<string>(), places: [] };
    this.#files.set(id, known);
    known.nlink = Math.max(known.nlink, stats.nlink);
    // Counts names by their folder's id, because a mount shows one name at several places and folders are renamed.
    known.names.add(`${this.#folderId(path.posix.dirname(from))}/${path.posix.basename(from)}`);
    known.places.push({ at, from, folder });
  }

  scan(complete: boolean): Scan {
    const { folders, unreadable } = this;
    return { files: [...this.#files.values()], folders, unreadable, complete };
  }

  #folderId(folder: string): string {
    const known = this.#ids.get(folder);
    if (known !== undefined) return known;
    const stats = statsOf(folder);
    const id = stats === null ? folder : idOf(folder, stats);
    this.#ids.set(folder, id);
    return id;
  }
}

/** The id of a file; no number, because its parts are too large for exact arithmetic. */
function idOf(at: string, { dev, ino }: Stats): string {
  if (Number.isSafeInteger(ino) && Number.isSafeInteger(dev)) return `${dev}:${ino}`;
  const exact = lstatSync(at, { bigint: true, throwIfNoEntry: false });
  return exact === undefined ? at : `${exact.dev}:${exact.ino}`;
}

function list(folder: string): readonly Dirent[] | 'file' | 'unreadable' | 'gone' {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOTDIR') return 'file';
    return code === 'EACCES' || code === 'EPERM' ? 'unreadable' : 'gone';
  }
}
