import { readdir } from 'node:fs/promises';
import type { ExecutionHeader } from '../../contracts/header';
import { evidenceNames, executionsDir } from '../../contracts/vocabulary/evidenceFiles';
import { isTerminal } from '../../core/verify/consistency';
import { checkExecution } from '../../core/verify/execution';
import { readEvidence } from './documents';
import type { EvidenceFacts, JournalFacts } from '../../core/verify/facts';
import { evidenceFinding, sameDigest, type EvidenceFinding } from '../../core/verify/finding';
import { errorCode, errorMessage } from '../../base/outcome';
import { placeInWorkspace } from '../files/place';

/** What the journal here knows of executions of a plan. */
export interface PlanJournals {
  /** Of one mission; null: there is none here. */
  of(missionId: string): Promise<JournalFacts | null>;
  /** Missions of the plan that have written evidence, newest first. */
  readonly executions: readonly string[];
}
export const noJournals: PlanJournals = { of: () => Promise.resolve(null), executions: [] };

/**
 * Earlier executions of a plan, each with the rules of the present one. What the plan and the outputs became since is
 * the present one's. `latest`: the header that is not archived.
 */
export async function verifyArchive(
  workspaceRoot: string,
  planId: string,
  latest: ExecutionHeader | null,
  journals: PlanJournals,
): Promise<readonly EvidenceFinding[]> {
  const folder = `${executionsDir}/${planId}/${evidenceNames.archive}`;
  const { names, findings } = await namesIn(workspaceRoot, folder);
  const found = new Map<string, Archived>();
  for (const name of names) {
    const archived = await verifyOne(workspaceRoot, planId, name, await journals.of(name));
    found.set(name, archived);
    findings.push(...archived.findings.map((finding) => ({ ...finding, file: inArchive(name, finding.file) })));
  }
  const headers = [latest, ...[...found.values()].map(({ header }) => header)];
  for (const header of headers) {
    const said = header?.archived;
    if (said === undefined) continue;
    const by = header?.mission_id ?? 'the header';
    const there = found.get(said.mission_id);
    if (there === undefined)
      findings.push(
        evidenceFinding(
          'ARCHIVE_DISAGREES',
          inArchive(said.mission_id, ''),
          `${by} archived this execution: it is gone.`,
        ),
      );
    else if (said.header_sha256 !== null && !sameDigest(there.header_sha256 ?? '', said.header_sha256))
      findings.push(
        evidenceFinding(
          'ARCHIVE_DISAGREES',
          inArchive(said.mission_id, evidenceNames.header),
          `The header is not the one that ${by} archived.`,
          '',
          there.hintFor?.(evidenceNames.header, said.header_sha256) ?? null,
        ),
      );
  }
  const named = headers.flatMap((header) => header?.archived?.mission_id ?? []);
  for (const [missionId, { findings: wrong, confirmed }] of found)
    if (wrong.length === 0 && !confirmed && !named.includes(missionId))
      findings.push(
        evidenceFinding(
          'EXECUTION_UNCONFIRMED',
          inArchive(missionId, ''),
          'It holds by itself, but no later header and no journal here tells of it: anybody could have made it.',
        ),
      );
  const here = [...named, ...found.keys()];
  return latest === null ? findings : [...findings, ...absent(latest, here, journals.executions)];
}

/** Executions that the journal knows and nothing here tells of: a header of before cannot take the place of the last. */
function absent(
  latest: ExecutionHeader,
  archived: readonly string[],
  executions: readonly string[],
): readonly EvidenceFinding[] {
  return executions.flatMap((missionId, index) => {
    if (missionId === latest.mission_id || archived.includes(missionId)) return [];
    const what = `The journal knows the execution ${missionId} of this plan; its evidence is not here.`;
    return [
      index === 0
        ? evidenceFinding('JOURNAL_DISAGREES', evidenceNames.header, `${what} It was the last one.`, '/mission_id')
        : evidenceFinding('EXECUTION_ABSENT', inArchive(missionId, ''), what),
    ];
  });
}

interface Archived {
  readonly header: ExecutionHeader | null;
  readonly header_sha256: string | null;
  /** Whether the journal here knows it. */
  readonly confirmed: boolean;
  readonly hintFor: EvidenceFacts['hintFor'] | null;
  readonly findings: readonly EvidenceFinding[];
}

async function verifyOne(
  workspaceRoot: string,
  planId: string,
  missionId: string,
  journal: JournalFacts | null,
): Promise<Archived> {
  const { documents, findings: reading } = await readEvidence(
    workspaceRoot,
    planId,
    `${evidenceNames.archive}/${missionId}`,
  );
  const confirmed = journal !== null;
  if (documents === null) return { header: null, header_sha256: null, hintFor: null, confirmed, findings: reading };
  const { header, header_sha256 } = documents;
  const findings = [...reading];
  if (header.mission_id !== missionId)
    findings.push(
      evidenceFinding(
        'HEADER_INVALID',
        evidenceNames.header,
        `The header is of mission ${header.mission_id ?? 'none'}: it does not belong into this folder.`,
        '/mission_id',
      ),
    );
  // Only what has ended is archived.
  if (!isTerminal(header))
    findings.push(
      evidenceFinding('STATE_INCONSISTENT', evidenceNames.header, `Archived in state ${header.state}.`, '/state'),
    );
  findings.push(...checkExecution(documents, journal));
  return { header, header_sha256, hintFor: documents.hintFor, confirmed, findings };
}

async function namesIn(
  workspaceRoot: string,
  folder: string,
): Promise<{ readonly names: readonly string[]; readonly findings: EvidenceFinding[] }> {
  const findings: EvidenceFinding[] = [];
  try {
    const place = await placeInWorkspace(workspaceRoot, folder);
    if (place.kind === 'refused') {
      findings.push(evidenceFinding('EVIDENCE_LINKED', evidenceNames.archive, `Not read: ${place.reason}.`));
      return { names: [], findings };
    }
    const entries = await readdir(place.absolute, { withFileTypes: true });
    for (const entry of entries) {
      if (entry.isDirectory()) continue;
      findings.push(
        entry.isSymbolicLink()
          ? evidenceFinding('EVIDENCE_LINKED', inArchive(entry.name, ''), 'Not read: it is a symbolic link.')
          : evidenceFinding('FILE_UNEXPECTED', inArchive(entry.name, ''), 'No archived execution is a file.'),
      );
    }
    return { names: entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort(), findings };
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR')
      findings.push(
        evidenceFinding('FILE_UNEXPECTED', evidenceNames.archive, 'It is no folder: no execution is archived here.'),
      );
    else if (errorCode(error) !== 'ENOENT')
      findings.push(
        evidenceFinding('EVIDENCE_UNREADABLE', evidenceNames.archive, `Not readable: ${errorMessage(error)}.`),
      );
    return { names: [], findings };
  }
}

function inArchive(missionId: string, file: string): string {
  return [evidenceNames.archive, missionId, ...(file === '' ? [] : [file])].join('/');
}
