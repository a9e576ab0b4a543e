import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isAlive, killTree } from '../../src/adapters/processes/tree';
import { stateFolderOf } from '../../src/adapters/state/folder';
import { runFiles, type LaunchTicket, type ProcessRecord } from '../../src/contracts/launch';

/**
 * Ends what a test left alive: the tree of every launch of a workspace, its supervisor first. A launch outlives its owner
 * on purpose, so detaching ends none.
 */
export async function endRuns(workspace: string): Promise<void> {
  const { missionsDir } = stateFolderOf(workspace);
  for (const found of globSync('*/runs/*', { cwd: missionsDir })) {
    const runDir = path.join(missionsDir, found);
    const record = read(runDir, runFiles.process) as ProcessRecord | null;
    // Its supervisor has not recorded itself yet.
    const claimed = record ?? (read(runDir, runFiles.claimed) as LaunchTicket | null);
    if (claimed === null) continue;
    const { nonce } = claimed;
    if (record !== null && (await isAlive(record.supervisor)))
      await killTree({ root: record.supervisor, nonce, namespace: record.namespace }, { graceMs: 0 });
    await killTree({ root: null, nonce }, { graceMs: 0 });
  }
}

/** Null: it was not written. */
function read(runDir: string, name: string): unknown {
  try {
    return JSON.parse(readFileSync(path.join(runDir, name), 'utf8'));
  } catch {
    return null;
  }
}
