import { existsSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { inside } from '../facts/facts';

/** Number of arguments of those bubblewrap options that a start may leave out, or that show a failed start. */
const arity: Readonly<Record<string, number>> = {
  '--ro-bind': 2,
  '--bind': 2,
  '--tmpfs': 1,
  '--symlink': 2,
  '--remount-ro': 1,
};

/**
 * Leaves out the covers of sockets that are gone, because bubblewrap ends if it has nothing to cover. Also leaves out
 * links that a failed start has left in the launch's own folder. Call it right before the start, and again if that
 * failed: a shorter line is a reason to try once more.
 */
export function withoutVanished(argv: readonly string[], exists: (path: string) => boolean = existsSync): string[] {
  const kept: string[] = [];
  /** What is mounted so far, of all mounts and of the writable ones. */
  const [shown, bound] = [new Map<string, string>(), new Map<string, string>()];
  for (let at = 0; at < argv.length;) {
    const word = argv[at] ?? '';
    const values = argv.slice(at + 1, at + 1 + (arity[word] ?? 0));
    const [from = '', place = from] = values;
    if (word === '--bind') bound.set(place, from);
    const isCover = word === '--tmpfs' || word === '--remount-ro' || (word === '--ro-bind' && from === '/dev/null');
    // A view shows a place of the host elsewhere, so the cover there lies over what is not there outside.
    const isGone = isCover && !exists(place) && !exists(onDisk(place, shown) ?? place);
    if (!isCover && (word === '--bind' || word === '--ro-bind')) shown.set(place, from);
    const isMade = word === '--symlink' && targetOf(onDisk(place, bound)) === from;
    if (!isGone && !isMade) kept.push(word, ...values);
    at += 1 + values.length;
  }
  return kept;
}

/** Finds the place outside of a place of the sandbox. */
function onDisk(place: string, bound: ReadonlyMap<string, string>): string | null {
  const around = [...bound.keys()].filter((at) => inside(place, at)).sort((a, b) => b.length - a.length)[0];
  return around === undefined ? null : path.posix.join(bound.get(around) ?? '', path.posix.relative(around, place));
}

function targetOf(link: string | null): string | null {
  if (link === null) return null;
  try {
    return readlinkSync(link);
  } catch {
    return null; // nothing there, or no link
  }
}
