import { evidenceFinding, type EvidenceFinding } from '../../contracts/vocabulary/codes/evidenceFindings';
import { asProven, confirms, confirmsHeader } from '../../core/verify/confirmed';
import { checkExecution } from '../../core/verify/execution';
import type { JournalFacts } from '../../core/verify/facts';
import type { EvidenceReader } from '../ports/evidence';
import { noJournals, verifyArchive, type PlanJournals } from './archive';

/** `valid` is false when a finding is an error. */
export interface EvidenceVerdict {
  readonly valid: boolean;
  readonly findings: readonly EvidenceFinding[];
}

/**
 * Checks the evidence of one plan: files against recorded digests, documents against each other, and the locked plan
 * against its hash. Checks all of it against the journal (null: none here, reported as JOURNAL_ABSENT; not of this
 * user: JOURNAL_FOREIGN). Archived executions follow the same rules. Legitimate later changes are infos. Never rejects.
 */
export async function verifyEvidence(
  reader: EvidenceReader,
  journal: JournalFacts | null,
  journals: PlanJournals = noJournals,
): Promise<EvidenceVerdict> {
  const { facts, findings: reading } = await reader.read();
  const archive = await verifyArchive(reader, facts?.header ?? null, journals);
  // No journal confirms a header that cannot be read.
  if (facts === null) return verdict([...reading.map((one) => missingOf(asProven(one, false), journals)), ...archive]);
  const { header, tasks } = facts;
  const ofTask = (file: string): string => tasks.get(/^TASK_(.+)\.json$/.exec(file)?.[1] ?? '')?.sha256 ?? '';
  return verdict([
    ...reading.map((one) => asProven(one, confirmsHeader(facts, journal))),
    ...(await reader.planNow(facts)).map((one) => asProven(one, confirms(journal, header.plan_sha256))),
    ...checkExecution(facts, journal),
    ...(facts.sealed ? await reader.outputsNow(facts) : []),
    ...(facts.sealed ? await reader.carriedNow(facts) : []).map((one) =>
      asProven(one, confirms(journal, ofTask(one.file))),
    ),
    ...(facts.sealed ? await reader.contextsNow(facts) : []),
    ...(facts.sealed ? await reader.memoryNow(facts) : []),
    ...(await reader.ignoredNow()),
    ...(journal ? [] : [evidenceFinding('JOURNAL_ABSENT', '', noJournal)]),
    ...(journal?.foreign === true ? [evidenceFinding('JOURNAL_FOREIGN', '', foreignJournal)] : []),
    ...archive,
  ]);
}

/** Reports absent evidence as missing when the journal here knows a run of the plan. */
function missingOf(finding: EvidenceFinding, { executions }: PlanJournals): EvidenceFinding {
  if (finding.code !== 'EVIDENCE_NONE' || executions.length === 0) return finding;
  const message = 'The journal knows a run of the plan, and its folder of evidence is gone.';
  return evidenceFinding('EVIDENCE_MISSING', '', message);
}

const noJournal = 'No journal was compared, so the files are checked against each other only.';

const foreignJournal =
  'No seal of this user holds for the journal, so it confirms nothing: it came from another user or machine, it was changed, or this user’s key is another one now.';

function verdict(findings: readonly EvidenceFinding[]): EvidenceVerdict {
  return { valid: findings.every(({ severity }) => severity !== 'error'), findings };
}
