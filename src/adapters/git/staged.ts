import { lstat, readlink } from 'node:fs/promises';
import path from 'node:path';
import { readOnce } from '../files/opened';
import { blobId } from './blobs';
import { headCommit } from './refs';
import { repositoryAt } from './locate';

export interface StagedChanges {
  /** Staged since the baseline with the workspace's content, or no longer staged; these are only recorded. */
  readonly same: readonly string[];
  /** Staged with content that the workspace does not show, so a commit would take what no person saw. */
  readonly other: readonly string[];
}

/** Returns what was staged since a baseline; both maps as in `IndexFacts.staged`. `top`: the folder of the paths. */
export async function stagedSince(
  top: string,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Promise<StagedChanges> {
  const same = [...before.keys()].filter((file) => !after.has(file));
  const other: string[] = [];
  for (const [file, as] of after) {
    if (before.get(file) === as) continue;
    ((await isInWorkspace(path.join(top, ...file.split('/')), as)) ? same : other).push(file);
  }
  return { same: same.sort(), other: other.sort() };
}

async function isInWorkspace(file: string, as: string): Promise<boolean> {
  const [mode = '', object = ''] = as.split(' ');
  try {
    const stats = await lstat(file);
    if (as === 'none') return false;
    if (mode === '160000') {
      const inner = await repositoryAt(file);
      return inner !== null && (await headCommit(inner)) === object;
    }
    if (mode === '120000')
      return stats.isSymbolicLink() && blobId(Buffer.from(await readlink(file)), object) === object;
    if (!stats.isFile() || stats.size > largestBytes) return false;
    const executable = (stats.mode & 0o111) !== 0;
    if (process.platform !== 'win32' && executable !== (mode === '100755')) return false;
    const read = await readOnce(file, largestBytes);
    if (read.kind !== 'file') return false;
    const { bytes } = read;
    if (blobId(bytes, object) === object) return true;
    // Git may convert line ends. Copies the bytes only if there are such, because they may be many.
    return bytes.includes('\r\n') && blobId(withLineFeeds(bytes), object) === object;
  } catch {
    return as === 'none'; // gone from both
  }
}

const largestBytes = 256 * 1024 * 1024;

/** Returns the bytes that git stores when it converts line ends. */
function withLineFeeds(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}
