import { withProvenHints } from './confirmed';
import { checkStates, checkTasks, isTerminal } from './consistency';
import { changedSince, collected, otherDigest, type EvidenceFacts, type JournalFacts } from './facts';
import {
  type EvidenceFinding,
  evidenceFinding,
  withForm,
  sameDigest,
} from '../../contracts/vocabulary/codes/evidenceFindings';
import { checkJournal } from './journal';
import { listAt, objectAt, objectsAt, textAt, valueAt, type JsonObject } from '../../base/json';
import type { CarriedFrom } from '../plan/approvedPlan';
import { evidenceNames, keptPlanPath, milestoneFile, taskFile } from '../../contracts/vocabulary/files/evidenceFiles';
import { evidenceDir } from '../evidence/places';
import { validatorIds } from '../plan/milestones';

/** Checks the approved bytes of one execution, its documents against each other, and all against a journal, if any. */
export function checkExecution(read: EvidenceFacts, journal: JournalFacts | null): readonly EvidenceFinding[] {
  const facts = withProvenHints(read, journal);
  const { planned, findings } = checkLockedPlan(facts);
  return [
    ...findings,
    ...(facts.sealed
      ? [...checkTasks(facts, planned), ...checkStates(facts), ...checkMilestones(facts), ...checkCarriedTasks(facts)]
      : []),
    ...(journal ? [...checkJournal(facts, journal), ...checkAcceptances(facts, journal)] : []),
  ];
}

/** Checks carried tasks: the approved plan marks exactly them, and no other success lacks an attempt. */
function checkCarriedTasks({ lockedPlan, tasks }: EvidenceFacts): readonly EvidenceFinding[] {
  const marks = new Map(
    objectsAt(lockedPlan?.value, 'tasks').map(([task]) => [textAt(task, 'task_id'), objectAt(task, 'carried_from')]),
  );
  return [...tasks].flatMap(([taskId, { evidence }]) => {
    const { findings, report } = collected('TASK_STATUS_MISMATCH', taskFile(taskId));
    const wrong = (message: string): void => report(message, '/carried_from');
    if (evidence === null) return findings;
    const { carried_from: claimed, attempts = [], status, executor } = evidence;
    if (!claimed) {
      if (marks.get(taskId)) wrong('The approved plan carries it over, and the evidence says nothing of that.');
      else if (executor === 'mission' && status === 'SUCCESS' && attempts.length === 0)
        wrong('SUCCESS although it was neither attempted nor carried over.');
      return findings;
    }
    if (keyOf(claimed) !== keyOf(marks.get(taskId) ?? null))
      wrong('The approved plan does not carry it over from where the evidence says.');
    if (status !== 'SUCCESS' || attempts.length > 0) wrong('It was carried over, and yet attempted or not done.');
    return findings;
  });
}

function keyOf(from: CarriedFrom | JsonObject | null): string {
  return JSON.stringify([
    textAt(from, 'plan_id'),
    textAt(from, 'mission_id'),
    textAt(from, 'evidence_sha256')?.toUpperCase(),
  ]);
}

/** Compares the approved bytes with the digests of the header. `planned`: the ids of their tasks. */
function checkLockedPlan({ header, lockedPlan, sealed, hintFor }: EvidenceFacts): {
  planned: readonly string[] | null;
  findings: EvidenceFinding[];
} {
  const name = evidenceNames.lockedPlan;
  if (lockedPlan === null) {
    const gone = evidenceFinding('LOCKED_PLAN_MISSING', name, 'The bytes that were approved are gone.');
    return { planned: null, findings: sealed ? [gone] : [] };
  }
  const findings: EvidenceFinding[] = [];
  const { value: plan, sha256 } = lockedPlan;
  const recorded = [header.plan_sha256, ...(header.locked_plan === undefined ? [] : [header.locked_plan.sha256])];
  if (recorded.some((digest) => !sameDigest(digest, sha256))) {
    const message = `The locked plan has the hash ${sha256}, the header ${header.plan_sha256}.`;
    const kept = header.mission_id ? keptPlanPath(header.mission_id) : null;
    const finding = evidenceFinding('PLAN_HASH_MISMATCH', name, message);
    findings.push(withForm(finding, hintFor(name, header.plan_sha256), evidenceDir(header.plan_id), kept));
  }
  // The exact bytes leave no other content; bytes that were only reformatted have the same.
  else if (
    header.plan_canonical_sha256 &&
    !sameDigest(header.plan_canonical_sha256, lockedPlan.canonical_sha256 ?? '')
  ) {
    const message = 'The header has another digest of the plan’s content than the locked plan.';
    findings.push(evidenceFinding('STATE_INCONSISTENT', evidenceNames.header, message, '/plan_canonical_sha256'));
  }
  const invalid = (message: string, pointer = ''): void => {
    findings.push(evidenceFinding('LOCKED_PLAN_INVALID', name, message, pointer));
  };
  const planned = taskIdsOf(plan);
  if (planned === null) invalid('The locked plan cannot be read as a plan with tasks.');
  else if (valueAt(plan, 'plan_id') !== header.plan_id)
    invalid('The locked plan has another plan_id than the header.', '/plan_id');
  return { planned, findings };
}

function taskIdsOf(plan: unknown): readonly string[] | null {
  const ids = listAt(plan, 'tasks')?.map((task) => textAt(task, 'task_id'));
  // What validates milestones has evidence like a task.
  return ids?.every((id) => id !== null) ? [...ids, ...validatorIds(plan).values()] : null;
}

/** Compares the evidence of milestones with the header, the locked plan, and the evidence of what validated them. */
function checkMilestones(facts: EvidenceFacts): EvidenceFinding[] {
  const { header, lockedPlan, tasks, milestones: found = new Map<string, never>() } = facts;
  const findings: EvidenceFinding[] = [];
  const rows = header.milestones ?? [];
  const inHeader = (message: string, pointer = '/milestones'): void => {
    findings.push(evidenceFinding('STATE_INCONSISTENT', evidenceNames.header, message, pointer));
  };
  for (const [id, unit] of header.executor === 'mission' ? validatorIds(lockedPlan?.value) : [])
    if (!rows.some(({ milestone_id, task_id }) => milestone_id === id && task_id === unit))
      inHeader(`Milestone ${id} of the plan is missing in the header.`);
  for (const id of found.keys())
    if (!rows.some(({ milestone_id }) => milestone_id === id))
      findings.push(evidenceFinding('TASK_FILE_UNEXPECTED', milestoneFile(id), `The header has no milestone ${id}.`));
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
        findings.push(
          evidenceFinding('TASK_FILE_MISSING', milestoneFile(id), 'The evidence of this milestone is gone.'),
        );
      return;
    }
    if (evidence_sha256 === null) return;
    const changed = changedSince(facts, milestoneFile(id), file.sha256, evidence_sha256);
    findings.push(...changed);
    if (changed.length > 0) return;
    const claimed = file.evidence?.accepted;
    const validation = unit?.attempts?.find(({ attempt }) => attempt === claimed?.attempt)?.validation;
    const wrong = (message: string): void => {
      findings.push(evidenceFinding('TASK_STATUS_MISMATCH', milestoneFile(id), message, '/accepted'));
    };
    if (file.evidence && (claimed !== null) !== accepted) wrong('The header does not say the same of its acceptance.');
    if (claimed && unit && !sameDigest(validation?.tree_sha256 ?? '', claimed.tree_sha256))
      wrong(`TASK_${task_id}.json has no attempt that accepted these files.`);
  });
  return findings;
}

/** Finds a file and an acceptance that the journal does not know, because another program than the runner made them. */
function checkAcceptances(facts: EvidenceFacts, { entries }: JournalFacts): readonly EvidenceFinding[] {
  const { header, milestones } = facts;
  if (!isTerminal(header)) return [];
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
    if (!file) return [];
    const wrong = (message: string): EvidenceFinding =>
      evidenceFinding('JOURNAL_DISAGREES', milestoneFile(milestone_id), message);
    const other = wrong('The file has another digest than the journal recorded.');
    const changed = otherDigest(facts, other, file.sha256, written.get(task_id) ?? '');
    if (changed.length > 0) return changed;
    const claimed = file.evidence?.accepted ?? null;
    // What a handoff brought was accepted in another journal.
    if (claimed === null || header.resumed_from !== undefined) return [];
    return sameDigest(accepted.get(task_id) ?? '', claimed.tree_sha256)
      ? []
      : [wrong('The file says that these files were accepted; the journal does not.')];
  });
}
