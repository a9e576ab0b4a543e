import { readdir } from 'node:fs/promises';
import { errorCode, errorMessage } from '../../base/outcome';
import { evidenceFinding, type EvidenceFinding } from '../../contracts/vocabulary/evidenceFindings';
import { evidenceNames, executionsDir } from '../../contracts/vocabulary/evidenceFiles';
import type { EvidenceReader } from '../../engine/ports/evidence';
import { placeInWorkspace } from '../files/place';
import { isPathId } from '../state/folder';
import { checkCarriedEvidence } from './carried';
import { checkContexts } from './contexts';
import { checkIgnored } from './ignored';
import { checkMemory } from './memory';
import { readEvidence } from './documents';
import { checkOutputs } from './outputs';
import { checkPlanFile } from './planFile';

/** Reads the evidence of a plan; opens every file once and follows no link. */
export function evidenceReader(workspaceRoot: string, planId: string): EvidenceReader {
  if (!isPathId(planId) || planId.includes('..')) return noEvidence(planId);
  return {
    read: (missionId) =>
      readEvidence(workspaceRoot, planId, missionId === undefined ? '' : `${evidenceNames.archive}/${missionId}`),
    archived: () => archivedIn(workspaceRoot, planId),
    planNow: (facts) => checkPlanFile(workspaceRoot, facts),
    outputsNow: (facts) => checkOutputs(workspaceRoot, facts),
    carriedNow: (facts) => checkCarriedEvidence(workspaceRoot, facts),
    ignoredNow: () => checkIgnored(workspaceRoot, planId),
    contextsNow: (facts) => checkContexts(workspaceRoot, facts),
    memoryNow: (facts) => checkMemory(workspaceRoot, facts),
  };
}

function noEvidence(planId: string): EvidenceReader {
  const message = `${JSON.stringify(planId)} is no plan id; name one of the folders of docs/ops/executions.`;
  const nothing = { facts: null, findings: [evidenceFinding('PLAN_ID_INVALID', '', message)] };
  return {
    read: () => Promise.resolve(nothing),
    archived: () => Promise.resolve({ names: [], findings: [] }),
    planNow: () => Promise.resolve([]),
    outputsNow: () => Promise.resolve([]),
    carriedNow: () => Promise.resolve([]),
    ignoredNow: () => Promise.resolve([]),
    contextsNow: () => Promise.resolve([]),
    memoryNow: () => Promise.resolve([]),
  };
}

/** The folders of archived executions; each has the id of its mission. */
async function archivedIn(workspaceRoot: string, planId: string): ReturnType<EvidenceReader['archived']> {
  const folder = `${executionsDir}/${planId}/${evidenceNames.archive}`;
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
          ? evidenceFinding(
              'EVIDENCE_LINKED',
              `${evidenceNames.archive}/${entry.name}`,
              'Not read: it is a symbolic link.',
            )
          : evidenceFinding(
              'FILE_UNEXPECTED',
              `${evidenceNames.archive}/${entry.name}`,
              'No archived execution is a file.',
            ),
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
