import { createHash } from 'node:crypto';
import { executionsDir } from '../../../contracts/vocabulary/evidenceFiles';
import type { ManifestEntry } from '../../files/entry';

/**
 * One digest of the content of a workspace, the same on every machine. Of a mode only the execute bit counts.
 *
 * @param entries the entries that count, each read
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
 * Returns whether a path counts as content. Plans do not, nor does evidence, because the runner itself writes it.
 * Neither does the file by which a worktree or submodule names its repository, nor anything outside the workspace.
 */
export function counts(path: string, outside: string | undefined): boolean {
  if (outside !== undefined || path === '.git' || path.endsWith('/.git')) return false;
  return ![executionsDir, 'docs/plans'].some((folder) => path === folder || path.startsWith(`${folder}/`));
}
