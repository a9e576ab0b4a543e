import { evidenceNames } from '../../contracts/vocabulary/evidenceFiles';
import {
  evidenceFinding,
  sameDigest,
  withForm,
  type EvidenceFinding,
} from '../../contracts/vocabulary/evidenceFindings';
import { evidenceDir } from '../evidence/places';
import { validatorIds } from '../plan/milestones';
import { isTerminal } from './consistency';
import type { EvidenceFacts, JournalFacts } from './facts';

/** Compares the evidence of milestones with the header, the locked plan, and the evidence of what validated them. */
export function checkMilestones({ header, lockedPlan, tasks, milestones, hintFor }: EvidenceFacts): EvidenceFinding[] {
  const findings: EvidenceFinding[] = [];
  const found = milestones ?? new Map<string, never>();
  const rows = header.milestones ?? [];
  const inHeader = (message: string, pointer = '/milestones'): void => {
    findings.push(evidenceFinding('STATE_INCONSISTENT', evidenceNames.header, message, pointer));
  };
  for (const [id, unit] of header.executor === 'mission' ? validatorIds(lockedPlan?.value) : [])
    if (!rows.some(({ milestone_id, task_id }) => milestone_id === id && task_id === unit))
      inHeader(`Milestone ${id} of the plan is missing in the header.`);
  for (const id of found.keys())
    if (!rows.some(({ milestone_id }) => milestone_id === id))
      findings.push(evidenceFinding('TASK_FILE_UNEXPECTED', fileOf(id), `The header has no milestone ${id}.`));
  rows.forEach((row, index) => {
    const { milestone_id: id, task_id, accepted, evidence_sha256 } = row;
    const file = found.get(id);
    const unit = tasks.get(task_id)?.evidence;
    if (isTerminal(header) && accepted !== ((unit?.status ?? null) === 'SUCCESS'))
      inHeader(`It tells of ${id} what TASK_${task_id}.json does not.`, `/milestones/${index}/accepted`);
    if (header.outcome === 'COMPLETED' && !accepted && unit?.status !== 'SKIPPED')
      inHeader(`COMPLETED although milestone ${id} was not accepted.`, `/milestones/${index}/accepted`);
    if (!file) {
      if (evidence_sha256 !== null || isTerminal(header))
        findings.push(evidenceFinding('TASK_FILE_MISSING', fileOf(id), 'The evidence of this milestone is gone.'));
      return;
    }
    if (evidence_sha256 === null) return;
    if (!sameDigest(file.sha256, evidence_sha256)) {
      const changed = 'The file was changed after it was written: its digest is not the one in the header.';
      findings.push(
        withForm(
          evidenceFinding('TASK_DIGEST_MISMATCH', fileOf(id), changed),
          hintFor(fileOf(id), evidence_sha256),
          evidenceDir(header.plan_id),
        ),
      );
      return;
    }
    const claimed = file.evidence?.accepted;
    const validation = unit?.attempts?.find(({ attempt }) => attempt === claimed?.attempt)?.validation;
    const wrong = (message: string): void => {
      findings.push(evidenceFinding('TASK_STATUS_MISMATCH', fileOf(id), message, '/accepted'));
    };
    if (file.evidence && (claimed !== null) !== accepted) wrong('The header does not say the same of its acceptance.');
    if (claimed && unit && !sameDigest(validation?.tree_sha256 ?? '', claimed.tree_sha256))
      wrong(`TASK_${task_id}.json has no attempt that accepted these files.`);
  });
  return findings;
}

/** Finds a file and an acceptance that the journal does not know, because another program than the runner made them. */
export function checkAcceptances(
  { header, milestones, hintFor }: EvidenceFacts,
  { entries }: JournalFacts,
): EvidenceFinding[] {
  const accepted = new Map<string, string | null>();
  const written = new Map<string, string>();
  for (const { event } of entries) {
    if (event.type === 'MilestoneAccepted') accepted.set(event.task_id, event.tree_sha256);
    if (event.type === 'AcceptanceChecked' && !event.holds) accepted.set(event.task_id, null);
    if (event.type === 'TaskEvidenceWritten' && event.milestone_sha256 !== undefined)
      written.set(event.task_id, event.milestone_sha256);
  }
  return (header.milestones ?? []).flatMap(({ milestone_id, task_id }) => {
    const file = milestones?.get(milestone_id);
    const wrong = (message: string, hint: string | null = null): EvidenceFinding[] => [
      withForm(evidenceFinding('JOURNAL_DISAGREES', fileOf(milestone_id), message), hint, evidenceDir(header.plan_id)),
    ];
    if (!file || !isTerminal(header)) return [];
    const recorded = written.get(task_id) ?? '';
    if (!sameDigest(file.sha256, recorded))
      return wrong('The file has another digest than the journal recorded.', hintFor(fileOf(milestone_id), recorded));
    const claimed = file.evidence?.accepted ?? null;
    // What a handoff brought was accepted in another journal.
    if (claimed === null || header.resumed_from !== undefined) return [];
    return sameDigest(accepted.get(task_id) ?? '', claimed.tree_sha256)
      ? []
      : wrong('The file says that these files were accepted; the journal does not.');
  });
}

function fileOf(id: string): string {
  return `MILESTONE_${id}.json`;
}
