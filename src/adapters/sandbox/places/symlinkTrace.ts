import { lstatSync, readlinkSync } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import path from 'node:path';
import type { Link } from '../facts/facts';

export interface Traced {
  /** Resolved as far as the path exists. */
  readonly path: string;
  readonly exists: boolean;
  /** The links on the way, each at its resolved place. */
  readonly links: readonly Link[];
}

/** Follows a path as the kernel does, and returns each link on the way. */
export async function trace(wanted: string): Promise<Traced> {
  const steps = stepsOf(wanted);
  let step = steps.next();
  while (step.done !== true) step = steps.next(await seen(step.value));
  return step.value;
}

/**
 * The same for many paths with common folders. Looks at each place once, and synchronously, because
 * each wait costs more than the look. A folder of PATH has a thousand links.
 */
export function tracer(): (wanted: string) => Traced {
  const known = new Map<string, Seen>();
  return (wanted) => {
    const steps = stepsOf(wanted);
    let step = steps.next();
    while (step.done !== true) {
      const found = known.get(step.value) ?? seenNow(step.value);
      known.set(step.value, found);
      step = steps.next(found);
    }
    return step.value;
  };
}

/** The thing at a place: nothing visible, a link with its target, or something else. */
type Seen = 'nothing' | 'other' | { readonly target: string };

async function seen(at: string): Promise<Seen> {
  const stats = await lstat(at).catch(() => null);
  if (stats?.isSymbolicLink() !== true) return stats === null ? 'nothing' : 'other';
  return { target: await readlink(at).catch(() => '') };
}

function seenNow(at: string): Seen {
  try {
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink() !== true) return stats === undefined ? 'nothing' : 'other';
  } catch {
    return 'nothing';
  }
  try {
    return { target: readlinkSync(at) };
  } catch {
    return { target: '' };
  }
}

/** Asks for the thing at each place on the way. */
function* stepsOf(wanted: string): Generator<string, Traced, Seen> {
  const links: Link[] = [];
  let rest = partsOf(path.posix.resolve(wanted));
  let current = '/';
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    const next = path.posix.join(current, part);
    const found = yield next;
    if (found === 'nothing') return { path: path.posix.join(next, ...rest), exists: false, links };
    if (found === 'other') {
      current = next;
      continue;
    }
    if (links.length >= mostLinks) return { path: path.posix.join(next, ...rest), exists: false, links };
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
