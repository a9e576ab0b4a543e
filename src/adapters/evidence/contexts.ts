import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { evidenceFinding, sameDigest, type EvidenceFinding } from '../../contracts/vocabulary/evidenceFindings';
import type { EvidenceFacts } from '../../core/verify/facts';
import { readWorkspaceFile } from '../files/workspaceFile';
import { sha256Of } from '../files/sha256';

/** Compares each kept snapshot with its recorded digest. Expects none where the mission's folder is absent. */
export async function checkContexts(
  workspaceRoot: string,
  { tasks }: EvidenceFacts,
): Promise<readonly EvidenceFinding[]> {
  const findings: EvidenceFinding[] = [];
  for (const [taskId, { evidence }] of tasks)
    for (const [index, { attempt, context }] of (evidence?.attempts ?? []).entries()) {
      if (!context) continue;
      const file = await readWorkspaceFile(workspaceRoot, context.kept);
      if (file.kind === 'file' && sameDigest(sha256Of(file.bytes), context.snapshot_sha256)) continue;
      const pointer = `/attempts/${index}/context`;
      const of = `${context.kept}, the context of attempt ${attempt} of task ${taskId},`;
      if (file.kind !== 'none')
        findings.push(
          evidenceFinding(
            'CONTEXT_CHANGED',
            `TASK_${taskId}.json`,
            `${of} is not what was frozen and given to the worker.`,
            pointer,
          ),
        );
      else if (await isThere(path.join(workspaceRoot, path.posix.dirname(path.posix.dirname(context.kept)))))
        findings.push(evidenceFinding('CONTEXT_NOT_KEPT', `TASK_${taskId}.json`, `${of} is gone.`, pointer));
    }
  return findings;
}

async function isThere(folder: string): Promise<boolean> {
  return lstat(folder).then(
    () => true,
    () => false,
  );
}
