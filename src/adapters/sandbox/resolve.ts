import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import path from 'node:path';
import type { Link } from './facts';

export interface Traced {
  /** Resolved as far as it exists. */
  readonly path: string;
  readonly exists: boolean;
  /** The links that were passed, each at its resolved place. */
  readonly links: readonly Link[];
}

/** What lies at a place, which may be a link; null: nothing that can be seen. */
export type Seen = (at: string) => Promise<Stats | null>;

const seen: Seen = (at) => lstat(at).catch(() => null);

/** Looks at each place once, for paths that have most folders in common. */
export function seenOnce(): Seen {
  const known = new Map<string, Promise<Stats | null>>();
  return (at) => {
    const found = known.get(at) ?? seen(at);
    known.set(at, found);
    return found;
  };
}

/** Follows a path as the kernel does, and tells each link on the way. */
export function trace(wanted: string): Promise<Traced> {
  return traceWith(seen, wanted);
}

/** The same by an own look at the disk. */
export async function traceWith(see: Seen, wanted: string): Promise<Traced> {
  const links: Link[] = [];
  let rest = path.posix
    .resolve(wanted)
    .split('/')
    .filter((part) => part !== '');
  let current = '/';
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    const next = path.posix.join(current, part);
    const stats = await see(next);
    if (stats === null) return { path: path.posix.join(next, ...rest), exists: false, links };
    if (!stats.isSymbolicLink()) {
      current = next;
      continue;
    }
    if (links.length >= mostLinks) return { path: path.posix.join(next, ...rest), exists: false, links };
    const target = await readlink(next).catch(() => '');
    links.push({ path: next, target });
    const led = path.posix.resolve(current, target);
    rest = [...led.split('/').filter((one) => one !== ''), ...rest];
    current = '/';
  }
  return { path: current, exists: true, links };
}

/** The kernel's own limit. */
const mostLinks = 40;

/**
 * Returns whether a link passes, or ends in, a place of a kind. Without waiting: a folder of the system has hundreds of
 * links, and this takes a tenth of the time.
 */
export function leadsThrough(link: string, isSuch: (at: string) => boolean): boolean {
  try {
    if (isSuch(realpathSync.native(link))) return true;
    let at = link;
    for (let left = mostLinks; left > 0 && lstatSync(at).isSymbolicLink(); left -= 1) {
      at = path.posix.resolve(path.posix.dirname(at), readlinkSync(at));
      if (isSuch(at)) return true;
    }
  } catch {
    // It leads nowhere.
  }
  return false;
}
