import path from 'node:path';
import type { SandboxReach } from '../../core/observation/reach';
import { inside, written, type Mount, type PlaceFacts } from './facts';

/**
 * Finds where a launch can write on this machine. Attribution judges by it what the launch could not have changed.
 * Undefined where hard links may lead out of what is writable, because not all of it was looked through. What is only
 * `held` may be gone when the launch starts, so it counts as its folder does.
 */
export function reachOf(
  mounts: readonly Mount[],
  { workspace, run, hardLinks }: Pick<PlaceFacts, 'workspace' | 'run' | 'hardLinks'>,
): SandboxReach | undefined {
  if (hardLinks.kind !== 'held' || !hardLinks.complete) return undefined;
  const named = (at: string): string => (at === workspace ? '.' : written(at, workspace));
  const writable = mounts.flatMap((mount) =>
    mount.kind === 'write' && !inside(mount.from, path.posix.join(run, 'work')) ? [mount.from] : [],
  );
  const read_only = mounts.flatMap(({ at, kind }) =>
    kind !== 'write' && kind !== 'held' && writable.some((one) => one !== at && inside(at, one)) ? [at] : [],
  );
  return { writable: [...new Set(writable)].map(named), read_only: [...new Set(read_only)].map(named) };
}
