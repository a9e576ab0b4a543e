import { readlinkSync } from 'node:fs';
import path from 'node:path';
import { statsOf } from '../../files/regular';
import type { Link } from '../facts/facts';

export interface Traced {
  /** Resolved as far as the path exists. */
  readonly path: string;
  readonly exists: boolean;
  /** The links on the way, each at its resolved place. */
  readonly links: readonly Link[];
}

/**
 * Follows a path as the kernel does, and returns each link on the way. Looks synchronously, because each wait costs more
 * than the look.
 */
export function trace(wanted: string): Traced {
  return follow(wanted, seen);
}

/**
 * The same for many paths with common folders. Looks at each place once, and synchronously, because
 * each wait costs more than the look. A folder of PATH has a thousand links.
 */
export function tracer(): (wanted: string) => Traced {
  const known = new Map<string, Seen>();
  return (wanted) =>
    follow(wanted, (at) => {
      const found = known.get(at) ?? seen(at);
      known.set(at, found);
      return found;
    });
}

/** The thing at a place: nothing visible, a link with its target, or something else. */
type Seen = 'nothing' | 'other' | { readonly target: string };

function seen(at: string): Seen {
  const stats = statsOf(at);
  if (stats?.isSymbolicLink() !== true) return stats === null ? 'nothing' : 'other';
  try {
    return { target: readlinkSync(at) };
  } catch {
    return { target: '' };
  }
}

function follow(wanted: string, look: (at: string) => Seen): Traced {
  const links: Link[] = [];
  let rest = partsOf(path.posix.resolve(wanted));
  let current = '/';
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    const next = path.posix.join(current, part);
    const found = look(next);
    if (found === 'other') {
      current = next;
      continue;
    }
    if (found === 'nothing' || links.length >= mostLinks)
      return { path: path.posix.join(next, ...rest), exists: false, links };
    links.push({ path: next, target: found.target });
    rest = [...partsOf(path.posix.resolve(current, found.target)), ...rest];
    current = '/';
  }
  return { path: current, exists: true, links };
}

function partsOf(resolved: string): string[] {
  return resolved.split('/').filter((part) => part !== '');
}

/** The limit of the kernel. */
const mostLinks = 40;
