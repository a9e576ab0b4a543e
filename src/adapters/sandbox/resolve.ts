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

/** Follows a path as the kernel does, and tells each link on the way. */
export async function trace(wanted: string): Promise<Traced> {
  const links: Link[] = [];
  let rest = path.posix
    .resolve(wanted)
    .split('/')
    .filter((part) => part !== '');
  let current = '/';
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    const next = path.posix.join(current, part);
    const stats = await lstat(next).catch(() => null);
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
