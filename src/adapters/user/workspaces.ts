import { createHash } from 'node:crypto';
import { lstat, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from '../files/atomic';
import { makeFolder } from '../files/makeFolder';
import { readOnce } from '../files/opened';
import { sharedStateFolders } from './folder';

/**
 * Remembers a workspace whose missions this user runs on this machine, for a stop of everything. Each owner does so
 * before it can issue a ticket. One small file each, so that owners never overwrite each other.
 */
export async function rememberWorkspace(workspaceDir: string): Promise<void> {
  const real = await realpath(workspaceDir);
  const places = placesOfWorkspaces();
  const kept = await Promise.allSettled(places.map((place) => rememberIn(place, real)));
  // One place is enough to be found.
  const failed = kept.find((one) => one.status === 'rejected');
  if (failed && kept.every(({ status }) => status === 'rejected')) throw failed.reason;
}

async function rememberIn(folder: string, real: string): Promise<void> {
  const file = path.join(folder, createHash('sha256').update(real).digest('hex'));
  const present = await readOnce(file, longest).catch(() => null);
  if (present?.kind === 'file' && present.bytes.toString('utf8') === real) return;
  await makeFolder(folder, 0o700);
  await writeFileAtomic(file, real);
}

/** Absolute paths of those that have a state folder now, sorted. */
export async function knownWorkspaces(): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const folder of placesOfWorkspaces())
    for (const name of await readdir(folder).catch(() => [])) {
      const read = await readOnce(path.join(folder, name), longest).catch(() => null);
      const workspace = read?.kind === 'file' ? read.bytes.toString('utf8') : '';
      if (!path.isAbsolute(workspace)) continue;
      const there = await lstat(path.join(workspace, '.mission-control')).catch(() => null);
      if (there) found.add(workspace);
    }
  return [...found].sort();
}

const longest = 65_536;

function placesOfWorkspaces(): readonly string[] {
  return sharedStateFolders().map((state) => path.join(state, 'workspaces'));
}
