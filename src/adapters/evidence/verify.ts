import { noJournals, verifyArchive, type PlanJournals } from './archive';
import { checkExecution } from '../../core/verify/execution';
import { readEvidence } from './documents';
import type { EvidenceFacts, JournalFacts } from '../../core/verify/facts';
import { evidenceFinding, sameDigest, type EvidenceFinding } from '../../core/verify/finding';
import { checkOutputs } from './outputs';
import { sha256Of } from '../files/sha256';
import { parseJsonText } from '../documents/json';
import { lineEndsExplain } from '../files/lineEnds';
import { lineEndsHint } from '../../contracts/vocabulary/evidenceFiles';
import { isPathId } from '../state/folder';
import { readWorkspaceFile } from '../files/workspaceFile';

/** `valid` is false when a finding is an error; warnings and infos do not make evidence invalid. */
export interface EvidenceVerdict {
  readonly valid: boolean;
  readonly findings: readonly EvidenceFinding[];
}

/**
 * Checks the evidence of one execution: every file against the digests that were recorded, the documents against each
 * other, the locked plan against its hash, and all of it against the journal when there is one (`journal` null: the
 * repository was cloned; said as JOURNAL_ABSENT). Archived executions of the plan are checked by the same rules. What changed since, legitimately, is said as an info. Never rejects.
 */
export async function verifyEvidence(
  workspaceRoot: string,
  planId: string,
  journal: JournalFacts | null,
  journals: PlanJournals = noJournals,
): Promise<EvidenceVerdict> {
  if (!isPathId(planId) || planId.includes('..')) {
    return verdict([
      evidenceFinding(
        'PLAN_ID_INVALID',
        '',
        `${JSON.stringify(planId)} is no plan id; name one of the folders of docs/ops/executions.`,
      ),
    ]);
  }
  const { documents, findings: reading } = await readEvidence(workspaceRoot, planId);
  const archive = await verifyArchive(workspaceRoot, planId, documents?.header ?? null, journals);
  if (documents === null) return verdict([...reading, ...archive]);
  return verdict([
    ...reading,
    ...(await checkPlanFile(workspaceRoot, documents)),
    ...checkExecution(documents, journal),
    ...(documents.sealed ? await checkOutputs(workspaceRoot, documents) : []),
    ...(journal ? [] : [evidenceFinding('JOURNAL_ABSENT', '', noJournal)]),
    ...archive,
  ]);
}

const noJournal = 'There is no journal here: the files are checked against each other only.';

function verdict(findings: readonly EvidenceFinding[]): EvidenceVerdict {
  return { valid: findings.every((finding) => finding.severity !== 'error'), findings };
}

/** The plan file may be edited once its mission has ended: the locked bytes count. Without them it is all there is. */
async function checkPlanFile(workspaceRoot: string, { header, lockedPlan }: EvidenceFacts): Promise<EvidenceFinding[]> {
  const file = await readWorkspaceFile(workspaceRoot, header.plan_path);
  if (file.kind !== 'file') {
    const why = file.kind === 'none' ? 'it is not there any more' : file.reason;
    return [evidenceFinding('PLAN_FILE_MISSING', header.plan_path, `The plan file was not compared: ${why}.`)];
  }
  const digest = sha256Of(file.bytes);
  if (sameDigest(digest, header.plan_sha256)) return [];
  const message = `The plan file now has the hash ${digest}, locked was ${header.plan_sha256}`;
  const hint = lineEndsExplain(file.bytes, header.plan_sha256) ? lineEndsHint : null;
  if (lockedPlan === null) return [evidenceFinding('PLAN_HASH_MISMATCH', header.plan_path, `${message}.`, '', hint)];
  const onlyForm = hint !== null || sameContent(file.bytes, lockedPlan.canonical_sha256);
  return [
    evidenceFinding(
      'PLAN_CHANGED_SINCE',
      header.plan_path,
      `${message}: ${onlyForm ? 'only line ends, spacing or the byte-order mark changed' : 'its content changed'}.`,
      '',
      hint,
    ),
  ];
}

function sameContent(bytes: Buffer, canonical_sha256: string | null): boolean {
  return canonical_sha256 !== null && canonical_sha256 === parseJsonText(bytes).canonical_sha256;
}
