import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import type { WatchedSession } from '../../engine/ports/orchestrator';
import { treeMembers } from '../processes/tree';

/**
 * Returns whether a process of the session's tree holds the file open. Then no other process can ask in its name, even
 * with its token. Checked on Linux only.
 */
export async function isHeldBySession(
  file: Pick<Stats, 'dev' | 'ino'>,
  { process: record, nonce }: Pick<WatchedSession, 'process' | 'nonce'>,
): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const members = await treeMembers({ root: record?.worker ?? null, nonce, namespace: record?.namespace });
  for (const { pid } of members) {
    const folder = `/proc/${pid}/fd`;
    for (const name of await readdir(folder).catch(() => [])) {
      const open = await stat(`${folder}/${name}`).catch(() => null); // closed meanwhile
      if (open !== null && open.dev === file.dev && open.ino === file.ino) return true;
    }
  }
  return false;
}
