import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { SandboxBoundary } from '../../../engine/ports/sandbox';
import { homeFolder } from '../../system/machine';
import { findBoundary } from '../places/boundary';
import { emptyCaches, rightsOf } from '../layers/caches';
import { noHardLinks, type HomeMount, type PlaceFacts, type WritableFact } from '../facts/facts';
import { findHardLinks } from '../links/findHardLinks';
import { findSeatbeltHome } from './home';
import type { SeatbeltFacts } from './seatbelt';
import { leadingVariables } from '../bubblewrap/variables';

export interface SeatbeltOptions {
  /** The program sandbox-exec. */
  readonly program: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home?: string | null;
  readonly caches?: (workspace: string) => string;
}

/**
 * Looks at the disk for one boundary.
 *
 * @throws Error where workspace or run directory are not what they have to be; the file system's own errors.
 */
export async function lookForSeatbelt(boundary: SandboxBoundary, options: SeatbeltOptions): Promise<SeatbeltFacts> {
  const { program, environment } = options;
  const home = options.home === undefined ? homeFolder() : options.home;
  const { workspace, run, writable, sealed, absent, granted, nested, notes } = await findBoundary(boundary, home);
  const privateFolder = path.posix.join(run, 'work/home');
  const own = await findSeatbeltHome(boundary.home, { environment, home, privateFolder });
  const caches =
    boundary.caches !== undefined && options.caches !== undefined
      ? await emptyCaches(path.posix.join(options.caches(workspace), 'empty', rightsOf(boundary)), {
          ...{ environment, home, workspace, platform: 'darwin' },
        })
      : {};
  const places: PlaceFacts = {
    ...{ tmp: null, emptied: [], visible: [], links: [], sockets: [], kernel: [] },
    workspace,
    run,
    writable: await Promise.all(writable.map(asOnDisk)),
    sealed: [...new Set([...sealed, ...nested])],
    absent,
    granted: granted.flatMap(({ exists, path: at }) => (exists ? [at] : [])),
    home: [
      ...own.writable.map((at): HomeMount => ({ at, kind: 'write', from: at })),
      ...[...new Set(Object.values(caches))].map((at): HomeMount => ({ at, kind: 'private', from: at })),
    ],
    notes: [
      ...notes,
      ...own.notes,
      ...(boundary.network ? ['With a network, listeners on this machine that have no path can be reached.'] : []),
    ],
    hardLinks: noHardLinks,
  };
  return {
    program,
    network: boundary.network,
    variables: { TMPDIR: path.posix.join(run, 'work/tmp'), ...caches, ...own.variables },
    unset: leadingVariables(environment),
    places: { ...places, hardLinks: await findHardLinks(places) },
  };
}

/**
 * Uses the spelling of the disk, because rules know a path by that. A person or a plan may spell it
 * differently.
 */
async function asOnDisk(fact: WritableFact): Promise<WritableFact> {
  const at = await realpath(fact.path).catch(() => null);
  // A link counts as itself.
  if (at === null || at.toLowerCase().normalize() !== fact.path.toLowerCase().normalize()) return fact;
  return fact.kind === 'folder' ? { ...fact, path: at } : { ...fact, path: at, folder: path.posix.dirname(at) };
}
