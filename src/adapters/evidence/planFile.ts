import type { EvidenceFacts } from '../../core/verify/facts';
import {
  evidenceFinding,
  withForm,
  withHint,
  sameDigest,
  type EvidenceFinding,
} from '../../contracts/vocabulary/evidenceFindings';
import { sha256Of } from '../files/sha256';
import { parseJsonText } from '../documents/json';
import { lineEndsExplain } from '../files/lineEnds';
import { keptPlanPath, lineEndsHint } from '../../contracts/vocabulary/evidenceFiles';
import { readWorkspaceFile } from '../files/workspaceFile';

/**
 * Checks the plan. The locked bytes count, because the file may be edited after its mission; without them only the file
 * is left.
 */
export async function checkPlanFile(
  workspaceRoot: string,
  { header, lockedPlan }: EvidenceFacts,
): Promise<readonly EvidenceFinding[]> {
  const file = await readWorkspaceFile(workspaceRoot, header.plan_path);
  if (file.kind !== 'file') {
    const why = file.kind === 'none' ? 'it is gone' : file.reason;
    return [evidenceFinding('PLAN_FILE_MISSING', header.plan_path, `The plan file was not compared: ${why}.`)];
  }
  const digest = sha256Of(file.bytes);
  if (sameDigest(digest, header.plan_sha256)) return [];
  const message = `The plan file now has the hash ${digest}, locked was ${header.plan_sha256}`;
  const hint = lineEndsExplain(file.bytes, header.plan_sha256) ? lineEndsHint : null;
  if (lockedPlan === null) {
    const kept = header.mission_id ? keptPlanPath(header.mission_id) : null;
    const mismatch = evidenceFinding('PLAN_HASH_MISMATCH', header.plan_path, `${message}.`);
    return [withForm(mismatch, hint, header.plan_path, kept)];
  }
  const onlyForm = hint !== null || sameContent(file.bytes, lockedPlan.canonical_sha256);
  return [
    withHint(
      evidenceFinding(
        'PLAN_CHANGED_SINCE',
        header.plan_path,
        `${message}: ${onlyForm ? 'only line ends, spacing or the byte-order mark changed' : 'its content changed'}.`,
      ),
      hint,
    ),
  ];
}

function sameContent(bytes: Buffer, canonical_sha256: string | null): boolean {
  return canonical_sha256 !== null && canonical_sha256 === parseJsonText(bytes).canonical_sha256;
}
