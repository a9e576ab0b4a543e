import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { inside, type Absent, type WritableFact } from '../facts/facts';
import { trace } from './symlinkTrace';

export interface Approved {
  readonly writable: readonly WritableFact[];
  readonly sealed: readonly string[];
  readonly absent: readonly Absent[];
  readonly notes: readonly string[];
}

/** Finds the approved and the sealed paths on the disk. `workspace` is resolved. */
export async function findApproved(
  workspace: string,
  paths: { readonly writable: readonly string[]; readonly sealed: readonly string[] },
): Promise<Approved> {
  const notes: string[] = [];
  const writable: WritableFact[] = [];
  for (const written of new Set(paths.writable)) {
    const found = await findWritable(workspace, written);
    if (typeof found === 'string') notes.push(found);
    else writable.push(found);
  }
  const sealed: string[] = [];
  const absent: Absent[] = [];
  for (const written of new Set(paths.sealed)) {
    const found = await spellings(workspace, written);
    sealed.push(...found);
    if (found.length === 0) absent.push({ written, path: path.posix.join(workspace, written) });
  }
  return { writable, sealed: [...new Set(sealed)], absent, notes };
}

async function findWritable(workspace: string, written: string): Promise<WritableFact | string> {
  const at = path.posix.join(workspace, written);
  if (!inside(at, workspace)) return `${written} lies outside the workspace: nothing is writable for it.`;
  const above = at === workspace ? workspace : path.posix.dirname(at);
  const traced = await trace(above);
  // Refuses, because the link's target would become writable, which no person approved.
  if (traced.path !== above) return `${written} is reached through a link: nothing is writable for it.`;
  if (!traced.exists) return `${written} has no folder to lie in: nothing is writable for it.`;
  const stats = await lstat(at).catch(() => null);
  if (stats?.isDirectory() === true) return { kind: 'folder', path: at };
  const entries = await readdir(above, { withFileTypes: true }).catch(() => null);
  if (entries === null) return `The folder of ${written} cannot be read: nothing is writable for it.`;
  const siblings = entries.map((entry) => ({ path: path.posix.join(above, entry.name), link: entry.isSymbolicLink() }));
  return { kind: 'file', path: at, folder: above, siblings };
}

/**
 * The existing spellings of a sealed path, and their targets. Other case counts, because reserved folders are sealed in
 * each case.
 */
async function spellings(workspace: string, written: string): Promise<readonly string[]> {
  let found = [workspace];
  for (const part of written.split('/').filter((one) => one !== '' && one !== '.')) {
    const next: string[] = [];
    for (const folder of found) {
      const names = await readdir(folder).catch(() => []);
      const key = part.toLowerCase();
      next.push(...names.filter((name) => name.toLowerCase() === key).map((name) => path.posix.join(folder, name)));
    }
    found = next;
  }
  const led = await Promise.all(found.map(trace));
  return [...new Set(led.filter(({ exists }) => exists).map(({ path: at }) => at))];
}
