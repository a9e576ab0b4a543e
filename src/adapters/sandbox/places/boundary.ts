import { lstat, mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { mostSiblings } from '../../../contracts/vocabulary/confinement';
import type { SandboxBoundary } from '../../../engine/ports/sandbox';
import { findApproved, type Approved } from './approved';
import { inside } from '../facts/facts';
import { findNested } from './nested';
import { trace, type Traced } from './symlinkTrace';

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
  const asked = await Promise.all(boundary.granted.map(trace));
  const ownHome = home === null ? null : (await trace(home)).path;
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
  const nested = await findNested([...new Set(open.filter((at) => !guarded.has(at)))]);
  const unseen = 'There are too many folders to look through for nested repositories: not all are sealed.';
  const notes = [...approved.notes, ...useless, ...(nested.complete ? [] : [unseen])];
  return { ...approved, workspace, run, granted, open, nested: nested.found, notes };
}

/** Makes a folder of ours, which an earlier worker could have replaced. */
async function ownFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch(() => undefined); // there already, or the next look fails
  if (!(await lstat(folder)).isDirectory()) throw new Error(`${folder} is not a folder`);
}
