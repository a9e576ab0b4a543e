import { ignoredReason } from '../../base/text/ignoredEvidence';
import { executionsDir } from '../../contracts/vocabulary/evidenceFiles';
import { evidenceFinding, type EvidenceFinding } from '../../contracts/vocabulary/evidenceFindings';
import { evidenceIgnoredBy } from '../git/evidenceIgnored';

/** Finds a rule by which git ignores the evidence of a plan. */
export async function checkIgnored(workspaceRoot: string, planId: string): Promise<readonly EvidenceFinding[]> {
  const by = await evidenceIgnoredBy(workspaceRoot, planId);
  return by === null ? [] : [evidenceFinding('EVIDENCE_IGNORED', '', ignoredReason(`${executionsDir}/${planId}`, by))];
}
