import { evidenceFinding, sameDigest, type EvidenceFinding } from '../../contracts/vocabulary/evidenceFindings';
import type { EvidenceFacts } from '../../core/verify/facts';
import { parsedJson, textAt } from '../../base/json';
import { readWorkspaceFile } from '../files/workspaceFile';
import { sha256Of } from '../files/sha256';

/**
 * Compares each decision that a task saved with its file in the memory. A memory that was begun anew has other files at
 * those places.
 */
export async function checkMemory(
  workspaceRoot: string,
  { header, tasks }: EvidenceFacts,
): Promise<readonly EvidenceFinding[]> {
  const findings: EvidenceFinding[] = [];
  for (const [taskId, { evidence }] of tasks)
    for (const [index, { memory }] of (evidence?.attempts ?? []).entries())
      for (const { name, path, sha256 } of memory?.entries ?? []) {
        if (path === null || sha256 === null) continue;
        const file = await readWorkspaceFile(workspaceRoot, path);
        if (file.kind === 'file' && sameDigest(sha256Of(file.bytes), sha256)) continue;
        const pointer = `/attempts/${index}/memory`;
        const record = file.kind === 'file' ? parsedJson(file.bytes.toString('utf8')) : null;
        const isNew = textAt(record, 'mission_id') !== null && textAt(record, 'mission_id') !== header.mission_id;
        findings.push(
          file.kind === 'none' || isNew
            ? evidenceFinding('MEMORY_NOT_KEPT', `TASK_${taskId}.json`, `${name} is gone from ${path}.`, pointer)
            : evidenceFinding(
                'MEMORY_CHANGED',
                `TASK_${taskId}.json`,
                `${name} in ${path} is not as it was saved.`,
                pointer,
              ),
        );
      }
  return findings;
}
