import type { ExecutionHeader } from '../../contracts/record/header';
import { evidenceNames } from '../../contracts/vocabulary/files/evidenceFiles';
import { isTerminal } from '../../core/verify/consistency';
import { asProven, confirmsHeader, withProvenHints } from '../../core/verify/confirmed';
import { checkExecution } from '../../core/verify/execution';
import { evidenceDir } from '../../core/evidence/places';
import type { EvidenceReader } from '../ports/evidence';
import type { EvidenceFacts, JournalFacts } from '../../core/verify/facts';
import {
  evidenceFinding,
  withForm,
  sameDigest,
  type EvidenceFinding,
  type EvidenceFindingCode,
} from '../../contracts/vocabulary/codes/evidenceFindings';

export interface PlanJournals {
  /** Facts of one mission; null: the journal does not know it. */
  of(missionId: string): Promise<JournalFacts | null>;
  /** Missions of the plan that wrote evidence, newest first. */
  readonly executions: readonly string[];
}
export const noJournals: PlanJournals = { of: () => Promise.resolve(null), executions: [] };

/** Checks earlier executions, without plan and outputs as they are now. `latest`: the header not archived. */
export async function verifyArchive(
  reader: EvidenceReader,
  latest: ExecutionHeader | null,
  journals: PlanJournals,
): Promise<readonly EvidenceFinding[]> {
  const { names, findings: reading } = await reader.archived();
  const findings = [...reading];
  const found = new Map<string, Archived>();
  for (const name of names) {
    const archived = await verifyOne(reader, name, await journals.of(name));
    found.set(name, archived);
    findings.push(...archived.findings.map((finding) => ({ ...finding, file: inArchive(name, finding.file) })));
  }
  const headers = [latest, ...[...found.values()].map(({ header }) => header)];
  for (const header of headers) {
    const said = header?.archived;
    if (said === undefined) continue;
    const by = header?.mission_id ?? 'the header';
    const there = found.get(said.mission_id);
    if (there === undefined) {
      const message = `${by} archived this execution: it is gone.`;
      findings.push(evidenceFinding('ARCHIVE_DISAGREES', inArchive(said.mission_id, ''), message));
    } else if (said.header_sha256 !== null && !sameDigest(there.header_sha256 ?? '', said.header_sha256)) {
      const file = inArchive(said.mission_id, evidenceNames.header);
      const message = `The header is not the one that ${by} archived.`;
      const hint = there.hintFor?.(evidenceNames.header, said.header_sha256) ?? null;
      const finding = evidenceFinding('ARCHIVE_DISAGREES', file, message);
      findings.push(withForm(finding, hint, evidenceDir(header?.plan_id ?? '')));
    }
  }
  const named = headers.flatMap((header) => header?.archived?.mission_id ?? []);
  const unnamed = 'It holds by itself, but no later header and no journal here names it, so its origin is unknown.';
  for (const [missionId, { findings: wrong, confirmed }] of found)
    if (wrong.length === 0 && !confirmed && !named.includes(missionId))
      findings.push(evidenceFinding('EXECUTION_UNCONFIRMED', inArchive(missionId, ''), unnamed));
  const here = [...named, ...found.keys()];
  return latest === null ? findings : [...findings, ...absent(latest, here, journals.executions)];
}

/** Reports executions that only the journal knows, because an older header must not pass for the last. */
function absent(
  latest: ExecutionHeader,
  archived: readonly string[],
  executions: readonly string[],
): readonly EvidenceFinding[] {
  return executions.flatMap((missionId, index) => {
    if (missionId === latest.mission_id || archived.includes(missionId)) return [];
    const what = `The journal says that mission ${missionId} ran this plan; its evidence is not here.`;
    return [
      index === 0
        ? evidenceFinding('JOURNAL_DISAGREES', evidenceNames.header, `${what} It was the last that ran.`, '/mission_id')
        : evidenceFinding('EXECUTION_ABSENT', inArchive(missionId, ''), what),
    ];
  });
}

interface Archived {
  readonly header: ExecutionHeader | null;
  readonly header_sha256: string | null;
  /** The journal of this machine knows the execution. */
  readonly confirmed: boolean;
  readonly hintFor: EvidenceFacts['hintFor'] | null;
  readonly findings: readonly EvidenceFinding[];
}

async function verifyOne(reader: EvidenceReader, missionId: string, journal: JournalFacts | null): Promise<Archived> {
  const { facts, findings: reading } = await reader.read(missionId);
  const confirmed = journal !== null;
  // No journal confirms a header that cannot be read.
  if (facts === null) {
    const unproven = reading.map((one) => asProven(one, false));
    return { header: null, header_sha256: null, hintFor: null, confirmed, findings: unproven };
  }
  const { header, header_sha256 } = facts;
  const findings = reading.map((one) => asProven(one, confirmsHeader(facts, journal)));
  const found = (code: EvidenceFindingCode, message: string, pointer: string): void => {
    findings.push(evidenceFinding(code, evidenceNames.header, message, pointer));
  };
  const { mission_id, state } = header;
  if (mission_id !== missionId) {
    const message = `The header is of mission ${mission_id ?? 'none'}: it does not belong into this folder.`;
    found('HEADER_INVALID', message, '/mission_id');
  }
  // Only ended executions are archived.
  if (!isTerminal(header)) found('STATE_INCONSISTENT', `Archived in state ${state}.`, '/state');
  findings.push(...checkExecution(facts, journal));
  return { header, header_sha256, hintFor: withProvenHints(facts, journal).hintFor, confirmed, findings };
}

function inArchive(missionId: string, file: string): string {
  return [evidenceNames.archive, missionId, ...(file === '' ? [] : [file])].join('/');
}
