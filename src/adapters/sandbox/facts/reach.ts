import type { SandboxReach } from '../../../contracts/launchEvidence';
import path from 'node:path';
import { inside, written, type Mount, type PlaceFacts } from './facts';

/**
 * Finds the places that a launch can write, by which attribution judges what the launch could not have changed.
 * Undefined if hard links may lead out, because not everything was searched. A `held` place counts like its folder,
 * because it may be gone when the launch starts.
 */
export function reachOf(
  mounts: readonly Mount[],
  { workspace, run, hardLinks }: Pick<PlaceFacts, 'workspace' | 'run' | 'hardLinks'>,
): SandboxReach | undefined {
  if (hardLinks.kind !== 'held' || !hardLinks.complete) return undefined;
  const named = (at: string): string => (at === workspace ? '.' : written(at, workspace));
  const writable = mounts.flatMap((mount) => {
    if (mount.kind === 'layer') return mount.waits ? [] : (mount.lands ?? []);
    return mount.kind === 'write' && !inside(mount.from, path.posix.join(run, 'work')) ? [mount.from] : [];
  });
  const read_only = mounts.flatMap(({ at, kind }) =>
    kind !== 'write' && kind !== 'held' && writable.some((one) => one !== at && inside(at, one)) ? [at] : [],
  );
  return { writable: [...new Set(writable)].map(named), read_only: [...new Set(read_only)].map(named) };
}
