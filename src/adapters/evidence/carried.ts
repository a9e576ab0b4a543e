import { evidenceNames, executionsDir } from '../../contracts/vocabulary/evidenceFiles';
import { evidenceFinding, sameDigest, type EvidenceFinding } from '../../contracts/vocabulary/evidenceFindings';
import type { EvidenceFacts } from '../../core/verify/facts';
import { sha256Of } from '../files/sha256';
import { readWorkspaceFile } from '../files/workspaceFile';

/** Compares the evidence that tasks were carried over from with the recorded digests, also where it was archived. */
export async function checkCarriedEvidence(
  workspaceRoot: string,
  { tasks }: EvidenceFacts,
): Promise<readonly EvidenceFinding[]> {
  const findings: EvidenceFinding[] = [];
  for (const [taskId, { evidence }] of tasks) {
    const from = evidence?.carried_from;
    if (!from) continue;
    const folder = `${executionsDir}/${from.plan_id}`;
    const name = `TASK_${taskId}.json`;
    const digests: string[] = [];
    for (const place of [`${folder}/${name}`, `${folder}/${evidenceNames.archive}/${from.mission_id}/${name}`]) {
      const file = await readWorkspaceFile(workspaceRoot, place);
      if (file.kind === 'file') digests.push(sha256Of(file.bytes));
    }
    if (digests.some((digest) => sameDigest(digest, from.evidence_sha256))) continue;
    const what = digests.length === 0 ? 'is gone' : 'is not as it was when the task was carried over';
    findings.push(
      evidenceFinding(
        'CARRIED_DISAGREES',
        name,
        `${folder}/${name}, which tells how the task was done, ${what}.`,
        '/carried_from',
      ),
    );
  }
  return findings;
}
