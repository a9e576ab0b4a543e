import { mostSiblings } from '../../../contracts/vocabulary/confinement';
import { type HardLinks, type HeldPlace, written } from '../facts/facts';
import { refused, type Outcome } from '../../../base/outcome';
import { mendHardLinks } from '../../../base/text/hardLinks';
import type { SandboxLine } from '../../../engine/ports/sandbox';

/** One file with several names, of which a launch may write some. */
export interface LinkedFile {
  /** How many names the file has anywhere. */
  readonly nlink: number;
  /** Each name once, whatever way leads to it. */
  readonly names: ReadonlySet<string>;
  readonly places: readonly LinkedPlace[];
}

export interface LinkedPlace extends HeldPlace {
  /** Null: the file is a writable place itself. */
  readonly folder: ScannedFolder | null;
}

export interface ScannedFolder extends HeldPlace {
  /** Null: it is a writable place itself. */
  readonly parent: ScannedFolder | null;
  /** Number of files directly in the folder. */
  readonly files: number;
}

/** The content of the places that a launch may write. */
export interface Scan {
  readonly files: readonly LinkedFile[];
  /** A folder comes before its subfolders. */
  readonly folders: readonly ScannedFolder[];
  /** Folders that cannot be read, and may hold anything. */
  readonly unreadable: readonly HeldPlace[];
  /** False: the scan ended before it had seen everything. */
  readonly complete: boolean;
}

/**
 * Decides what must be read-only so that nothing outside changes: names of files that have another name elsewhere. If a
 * sandbox cannot take so many names, whole folders of which most files lead out; if that is not enough, nothing.
 */
export function decideHardLinks({ files, folders, unreadable, complete }: Scan): HardLinks {
  const out = files.filter(({ nlink, names }) => names.size < nlink).flatMap(({ places }) => places);
  const room = mostSiblings - unreadable.length;
  const chosen = out.length <= room ? out : inFolders(out, folders, room);
  if (chosen === null) return { kind: 'too_many', files: out.length, example: out[0]?.at ?? '' };
  return { kind: 'held', places: [...chosen, ...unreadable].map(({ at, from }) => ({ at, from })), complete };
}

/** At least this share of a folder's files leads out, or the folder is not made read-only as a whole. */
const mostly = 0.5;

type Held = LinkedPlace | ScannedFolder;

/**
 * The same with whole folders; null: they would still be too many. Takes first the folders of which every file leads
 * out, then those that lose the fewest files of their own.
 */
function inFolders(
  out: readonly LinkedPlace[],
  folders: readonly ScannedFolder[],
  room: number,
): readonly HeldPlace[] | null {
  const counted = countBelow(out, folders);
  const own = (folder: ScannedFolder): number => {
    const counts = counted.get(folder);
    return counts === undefined ? 0 : counts.files - counts.out;
  };
  const mayHold = (folder: ScannedFolder, least: number): boolean => {
    const counts = counted.get(folder);
    return folder.parent !== null && counts !== undefined && counts.out > 0 && counts.out >= counts.files * least;
  };
  let places = within(out, folders, (folder) => mayHold(folder, 1));
  while (places.size > room) {
    const children = new Map<ScannedFolder, number>();
    for (const one of places) {
      const above = parentOf(one);
      if (above !== null && mayHold(above, mostly)) children.set(above, (children.get(above) ?? 0) + 1);
    }
    const several = [...children].filter(([, count]) => count > 1);
    const ordered = (several.length > 0 ? several : [...children]).sort(
      ([one, many], [other, more]) => own(one) - own(other) || more - many,
    );
    let saved = 0;
    const merged = new Set<ScannedFolder>();
    for (const [folder, count] of ordered) {
      if (places.size - saved <= room) break;
      merged.add(folder);
      saved += count - 1;
    }
    if (merged.size === 0) return null;
    places = within(places, folders, (folder) => merged.has(folder));
  }
  return [...places];
}

/** Each place, or the highest chosen folder around it. */
function within(
  places: Iterable<Held>,
  folders: readonly ScannedFolder[],
  stands: (folder: ScannedFolder) => boolean,
): Set<Held> {
  const standing = new Map<ScannedFolder, ScannedFolder>();
  for (const folder of folders) {
    const found = (folder.parent && standing.get(folder.parent)) ?? (stands(folder) ? folder : null);
    if (found !== null) standing.set(folder, found);
  }
  const found = new Set<Held>();
  for (const place of places) {
    const above = 'folder' in place ? place.folder : place;
    found.add((above && standing.get(above)) ?? place);
  }
  return found;
}

function parentOf(place: Held): ScannedFolder | null {
  return 'folder' in place ? place.folder : place.parent;
}

interface Counts {
  files: number;
  out: number;
}

/** Counts files, and those that lead out, in each folder and everything below it. */
function countBelow(
  out: readonly LinkedPlace[],
  folders: readonly ScannedFolder[],
): ReadonlyMap<ScannedFolder, Counts> {
  const counted = new Map<ScannedFolder, Counts>(folders.map((folder) => [folder, { files: folder.files, out: 0 }]));
  for (const { folder } of out) {
    const counts = folder && counted.get(folder);
    if (counts) counts.out += 1;
  }
  for (const folder of folders.toReversed()) {
    const [counts, above] = [counted.get(folder), folder.parent && counted.get(folder.parent)];
    if (!counts || !above) continue;
    above.files += counts.files;
    above.out += counts.out;
  }
  return counted;
}

/** Refuses a launch that could change files outside, because more hard links lead out than can be made read-only. */
export function refusedHardLinks(
  { files, example: at }: Extract<HardLinks, { kind: 'too_many' }>,
  workspace: string,
): Outcome<SandboxLine> {
  const example = written(at, workspace);
  const reason = `${files} files that the launch may write are hard links to files outside, such as ${example}. A write to one changes the other file, too. A sandbox keeps at most ${mostSiblings} of them read-only. ${mendHardLinks(at)}`;
  return refused('HARD_LINKS_LEAD_OUT', reason, 'Make the files copies, as the sentence says, then retry.');
}

/** Describes a scan that ended before it had seen everything. */
export const tooManyToScan =
  'There are too many files to look through for hard links: not all that lead out are read-only.';
