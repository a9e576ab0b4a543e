import { createHash } from 'node:crypto';
import { executionsDir } from '../../../contracts/vocabulary/evidenceFiles';
import type { ManifestEntry } from '../../files/entry';

/**
 * One digest of the content of a workspace, the same on every machine. What runs a mission does not count: plans, and
 * evidence, which the runner itself writes; nor what git ignores. Of the modes only whether a file can be executed does.
 *
 * @param ignored whether git ignores a path
 */
export function treeSha256(entries: Iterable<ManifestEntry>, ignored: (path: string) => boolean): string {
  const lines: string[] = [];
  for (const { path, type, mode, size, sha256, target, problem, outside } of entries) {
    if (outside !== undefined || isOfMissions(path) || ignored(path)) continue;
    const executable = type === 'file' && (mode & 0o100) !== 0;
    const content = sha256 ?? target ?? `${problem ?? 'none'} ${size}`;
    lines.push(JSON.stringify([path, type, executable, content]));
  }
  const hash = createHash('sha256');
  for (const line of lines.sort()) hash.update(line).update('\n');
  return hash.digest('hex').toUpperCase();
}

function isOfMissions(path: string): boolean {
  return [executionsDir, 'docs/plans'].some((folder) => path === folder || path.startsWith(`${folder}/`));
}
