import { carriedFromIn, longestChain } from '../../base/carriedFrom';
import { evidenceNames, executionsDir } from '../../contracts/vocabulary/evidenceFiles';
import {
  evidenceFinding,
  sameDigest,
  withForm,
  type EvidenceFinding,
} from '../../contracts/vocabulary/evidenceFindings';
import type { CarriedFrom } from '../../core/plan/approvedPlan';
import type { EvidenceFacts } from '../../core/verify/facts';
import { sha256Of } from '../files/sha256';
import { explainedDigest } from './explained';
import { readWorkspaceFile } from '../files/workspaceFile';

/**
 * Compares the evidence that tasks were carried over from with the recorded digests, also in the archive. It follows
 * each chain back to the mission that did the task.
 */
export async function checkCarriedEvidence(
  workspaceRoot: string,
  { tasks }: EvidenceFacts,
): Promise<readonly EvidenceFinding[]> {
  const findings: EvidenceFinding[] = [];
  for (const [taskId, { evidence }] of tasks) {
    const name = `TASK_${taskId}.json`;
    let from: CarriedFrom | null = evidence?.carried_from ?? null;
    for (let count = 0; from !== null && count < longestChain; count += 1) {
      const folder = `${executionsDir}/${from.plan_id}`;
      const place = `${folder}/${name}`;
      const { text, found, hint } = await evidenceAt(workspaceRoot, place, from);
      from = text === null ? null : carriedFromIn(text);
      if (text !== null) continue;
      const what = found ? 'is not as it was when the task was carried over' : 'is gone';
      findings.push(
        withForm(
          evidenceFinding(
            'CARRIED_DISAGREES',
            name,
            `${place}, which tells how the task was done, ${what}.`,
            '/carried_from',
          ),
          hint,
          folder,
        ),
      );
    }
  }
  return findings;
}

/** `text`: null: none of the files has the digest. `hint` explains a file whose content the digest proves. */
async function evidenceAt(
  workspaceRoot: string,
  place: string,
  { plan_id, mission_id, evidence_sha256 }: CarriedFrom,
): Promise<{ readonly text: string | null; readonly found: boolean; readonly hint: string | null }> {
  const name = place.split('/').pop() ?? '';
  const archived = `${executionsDir}/${plan_id}/${evidenceNames.archive}/${mission_id}/${name}`;
  let found = false;
  let hint: string | null = null;
  for (const one of [place, archived]) {
    const file = await readWorkspaceFile(workspaceRoot, one);
    if (file.kind !== 'file') continue;
    if (sameDigest(sha256Of(file.bytes), evidence_sha256))
      return { text: file.bytes.toString('utf8'), found: true, hint: null };
    found = true;
    hint ??= explainedDigest(name, file.bytes, evidence_sha256);
  }
  return { text: null, found, hint };
}
