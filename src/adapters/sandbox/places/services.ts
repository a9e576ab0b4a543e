import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { done, refused, type Outcome } from '../../../base/outcome';
import { openedOtherwise, seatbeltOpensNone } from '../../../base/text/services';
import type { SandboxBoundary } from '../../../engine/ports/sandbox';
import { inside } from '../facts/facts';
import { folderOrNull } from './hidden';
import { trace } from './symlinkTrace';

/** The sockets and devices of a plan as found on the disk, resolved. */
export interface OpenedPlaces {
  readonly sockets: readonly string[];
  readonly devices: readonly string[];
}

export const opensNothing: OpenedPlaces = { sockets: [], devices: [] };

/**
 * Finds the services that a plan opens. Each must be exactly what its name says, because a process could redirect a
 * link after the approval. No socket may lie where a launch writes, because the launch could replace it. Refuses others
 * with SERVICE_NOT_OPENED, even if a sandbox is only preferred, because without one the launch would reach everything.
 */
export async function findServices(
  { services, workspace_dir, granted }: Pick<SandboxBoundary, 'services' | 'workspace_dir' | 'granted'>,
  secret: readonly string[] = [],
): Promise<Outcome<OpenedPlaces>> {
  if (services === undefined) return done(opensNothing);
  const folders = await Promise.all([workspace_dir, ...granted, ...secret].map(folderOrNull));
  const closed = folders.filter((one) => one !== null);
  const found: { sockets: string[]; devices: string[] } = { sockets: [], devices: [] };
  for (const kind of ['sockets', 'devices'] as const) {
    for (const written of services[kind]) {
      const place = await placeOf(written, kind, closed);
      if (!place.ok) return place;
      found[kind].push(place.value);
    }
  }
  return done(found);
}

/** Refuses services where the means of confinement, such as Seatbelt, has no mounts and so opens no single one. */
export function refusedServices({ services }: Pick<SandboxBoundary, 'services'>): Outcome<OpenedPlaces> {
  return services === undefined
    ? done(opensNothing)
    : refused('SERVICE_NOT_OPENED', `${cannot} ${seatbeltOpensNone}.`, openedOtherwise);
}

async function placeOf(written: string, kind: keyof OpenedPlaces, closed: readonly string[]): Promise<Outcome<string>> {
  const { path: at, exists } = trace(written);
  if (!exists) {
    const step = `Start what provides it, or take it out of the plan.`;
    return refused('SERVICE_NOT_OPENED', `${cannot} ${written} is not there.`, step);
  }
  if (at !== (await systemPath(written))) {
    const reason = `${cannot} ${written} is a link, or lies behind one: it leads to ${at}.`;
    return refused('SERVICE_NOT_OPENED', reason, `Name ${at} in the plan if that is meant, then approve it again.`);
  }
  const stats = await lstat(at);
  if (kind === 'devices')
    return stats.isCharacterDevice() || stats.isBlockDevice()
      ? done(at)
      : refused(
          'SERVICE_NOT_OPENED',
          `${cannot} ${written} is no device.`,
          'Name each device in the plan by its own path.',
        );
  if (!stats.isSocket())
    return refused('SERVICE_NOT_OPENED', `${cannot} ${written} is no socket.`, 'Name the socket itself in the plan.');
  if (closed.some((one) => inside(at, one)) || at.split('/').includes('.mission-control')) {
    const reason = `${cannot} ${written} lies where a task writes, or where Mission Control keeps what is its own.`;
    return refused('SERVICE_NOT_OPENED', reason, 'Let the service listen elsewhere, and name that socket.');
  }
  return done(at);
}

/** Resolves `/var/run`, because it is a link to `/run` on every present system, and plans name services by it. */
async function systemPath(written: string): Promise<string> {
  if (!inside(written, '/var/run') || (await realpath('/var/run').catch(() => null)) !== '/run') return written;
  return path.posix.join('/run', path.posix.relative('/var/run', written));
}

const cannot = 'The sandbox cannot open what the plan names:';
