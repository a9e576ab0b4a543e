import { createHash } from 'node:crypto';
import { executionsDir } from '../../../contracts/vocabulary/evidenceFiles';
import type { ManifestEntry } from '../../files/entry';

/**
 * One digest of the content of a workspace, the same on every machine. Of the modes only whether a file can be executed
 * counts.
 *
 * @param entries those that count, each of which was read
 */
export function treeSha256(entries: Iterable<ManifestEntry>): string {
  const lines: string[] = [];
  for (const { path, type, mode, sha256, target } of entries) {
    const executable = type === 'file' && (mode & 0o100) !== 0;
    lines.push(JSON.stringify([path, type, executable, sha256 ?? target ?? 'none']));
  }
  const hash = createHash('sha256');
  for (const line of lines.sort()) hash.update(line).update('\n');
  return hash.digest('hex').toUpperCase();
}

/**
 * Returns whether what lies there is content. Plans do not count, nor evidence, which the runner itself writes. Neither
 * does the file by which a worktree or a submodule names its repository, nor what lies outside the workspace.
 */
export function counts(path: string, outside: string | undefined): boolean {
  if (outside !== undefined || path === '.git' || path.endsWith('/.git')) return false;
  return ![executionsDir, 'docs/plans'].some((folder) => path === folder || path.startsWith(`${folder}/`));
}
