import { lstat, mkdir, realpath, readdir } from 'node:fs/promises';
import path from 'node:path';
import { mostSiblings } from '../../../contracts/vocabulary/confinement';
import type { SandboxBoundary } from '../../../engine/ports/sandbox';
import { inside, type Absent, type WritableFact } from '../facts/facts';
import { trace, type Traced } from './symlinkTrace';
import { walkFolders } from './walkFolders';

/** A boundary as found on the disk, for every means of confinement. */
export interface FoundBoundary extends Approved {
  readonly workspace: string;
  readonly run: string;
  readonly granted: readonly Traced[];
  /** Folders that are writable, whole or in part. */
  readonly open: readonly string[];
  /** `.git` and `.mission-control` of other repositories in these. */
  readonly nested: readonly string[];
}

/**
 * Looks at the disk, and makes the folders of the run that its worker may write.
 *
 * @throws Error where workspace or run directory are not what they must be; the file system's own errors.
 */
export async function findBoundary(boundary: SandboxBoundary, home: string | null): Promise<FoundBoundary> {
  const workspace = await realpath(boundary.workspace_dir);
  // Made here, because the line is part of the ticket and comes before everything else in the run directory.
  await mkdir(boundary.run_dir, { recursive: true, mode: 0o700 });
  await ownFolder(boundary.run_dir);
  const run = await realpath(boundary.run_dir);
  await ownFolder(path.posix.join(run, 'work'));
  await ownFolder(path.posix.join(run, 'work/tmp'));
  const asked = boundary.granted.map(trace);
  const ownHome = home === null ? null : trace(home).path;
  const tooMuch = (at: string): string | null => {
    if (inside(at, workspace)) return 'lies in the workspace';
    return ownHome !== null && inside(ownHome, at) ? 'holds the home of this user' : null;
  };
  const granted = asked.filter(({ path: at }) => tooMuch(at) === null);
  const approved = await findApproved(workspace, boundary);
  const useless = asked.flatMap(({ exists, path: at }) => {
    const problem = tooMuch(at);
    if (problem !== null) return [`${at} was granted and ${problem}: it opens nothing.`];
    return exists ? [] : [`${at} was granted and is not there.`];
  });
  // Needs no search where the siblings of an approved file become read-only, because nothing else there is writable.
  const guarded = new Set(
    approved.writable.flatMap((one) =>
      one.kind === 'file' && one.siblings.length <= mostSiblings ? [one.folder] : [],
    ),
  );
  const open = [
    ...approved.writable.map((one) => (one.kind === 'folder' ? one.path : one.folder)),
    ...granted.flatMap(({ exists, path: at }) => (exists ? [at] : [])),
  ];
  const nested: string[] = [];
  const complete = await walkFolders([...new Set(open.filter((at) => !guarded.has(at)))], mostFolders, (at, entry) => {
    if (!reserved.has(entry.name.toLowerCase())) return false;
    if (!entry.isSymbolicLink()) nested.push(at);
    return true;
  });
  const unseen = 'There are too many folders to look through for nested repositories: not all are sealed.';
  const notes = [...approved.notes, ...useless, ...(complete ? [] : [unseen])];
  return { ...approved, workspace, run, granted, open, nested: [...new Set(nested)], notes };
}

/** Makes a folder of ours, which an earlier worker could have replaced. */
async function ownFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch(() => undefined); // there already, or the next look fails
  if (!(await lstat(folder)).isDirectory()) throw new Error(`${folder} is not a folder`);
}

const mostFolders = 20_000;

/** Names of other repositories and states, which are sealed at every depth. */
const reserved = new Set(['.git', '.jj', '.mission-control']);

interface Approved {
  readonly writable: readonly WritableFact[];
  readonly sealed: readonly string[];
  readonly absent: readonly Absent[];
  readonly notes: readonly string[];
}

/** Finds the approved and the sealed paths on the disk. `workspace` is resolved. */
async function findApproved(
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
  const traced = trace(above);
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
  const led = found.map(trace);
  return [...new Set(led.filter(({ exists }) => exists).map(({ path: at }) => at))];
}
