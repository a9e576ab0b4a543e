import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from '../files/atomic';
import { readOnce } from '../files/opened';
import { userStateFolder } from './folder';

/**
 * The workspaces whose missions this user has run on this machine, for a stop of everything: each owner leaves its
 * workspace here before it can issue a ticket. One small file each, so that owners never overwrite each other.
 */
export async function rememberWorkspace(state: string, workspaceDir: string): Promise<void> {
  const folder = path.join(state, 'workspaces');
  const real = await realpath(workspaceDir);
  const file = path.join(folder, createHash('sha256').update(real).digest('hex'));
  const present = await readOnce(file, longest).catch(() => null);
  if (present?.kind === 'file' && present.bytes.toString('utf8') === real) return;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFileAtomic(file, real);
}

/** Absolute paths of those that have a state folder now, sorted. */
export async function knownWorkspaces(): Promise<readonly string[]> {
  const state = userStateFolder();
  if (!state.ok) return [];
  const folder = path.join(state.value, 'workspaces');
  const found: string[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const read = await readOnce(path.join(folder, name), longest).catch(() => null);
    const workspace = read?.kind === 'file' ? read.bytes.toString('utf8') : '';
    if (!path.isAbsolute(workspace)) continue;
    const there = await lstat(path.join(workspace, '.mission-control')).catch(() => null);
    if (there) found.push(workspace);
  }
  return found.sort();
}

const longest = 65_536;
