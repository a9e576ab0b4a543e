import { lstat, readFile } from 'node:fs/promises';
import { errorCode, errorMessage } from './outcome';
import { placeInWorkspace } from './workspacePath';

export type WorkspaceFile =
  | { readonly kind: 'file'; readonly bytes: Buffer }
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Reads a regular file of the workspace; never through a symbolic link, never outside. Never rejects. */
export async function readWorkspaceFile(workspaceRoot: string, relative: string): Promise<WorkspaceFile> {
  try {
    const place = await placeInWorkspace(workspaceRoot, relative);
    if (place.kind === 'refused') return place;
    if (!(await lstat(place.absolute)).isFile()) return { kind: 'refused', reason: `${relative} is not a file` };
    return { kind: 'file', bytes: await readFile(place.absolute) };
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return { kind: 'none' };
    return { kind: 'unreadable', reason: errorMessage(error) };
  }
}
