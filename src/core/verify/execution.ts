import { withProvenHints } from './confirmed';
import { checkStates, checkTasks, isTerminal } from './consistency';
import type { EvidenceFacts, JournalFacts } from './facts';
import {
  type EvidenceFinding,
  evidenceFinding,
  withForm,
  sameDigest,
} from '../../contracts/vocabulary/codes/evidenceFindings';
import { checkJournal } from './journal';
import { objectAt, objectsAt, textAt, type JsonObject } from '../../base/json';
import type { CarriedFrom } from '../plan/approvedPlan';
import { evidenceNames, keptPlanPath } from '../../contracts/vocabulary/files/evidenceFiles';
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

/**
 * Checks tasks that a revision carries over: the approved plan marks exactly them, and they have no attempt. Without an
 * attempt, no other task is a success.
 */
function checkCarriedTasks({ lockedPlan, tasks }: EvidenceFacts): readonly EvidenceFinding[] {
  const marks = new Map(
    objectsAt(lockedPlan?.value, 'tasks').map(([task]) => [textAt(task, 'task_id'), objectAt(task, 'carried_from')]),
  );
  const findings: EvidenceFinding[] = [];
  for (const [taskId, { evidence }] of tasks) {
    if (evidence === null) continue;
    const file = `TASK_${taskId}.json`;
    const wrong = (message: string): void => {
      findings.push(evidenceFinding('TASK_STATUS_MISMATCH', file, message, '/carried_from'));
    };
    const { carried_from: claimed, attempts = [], status, executor } = evidence;
    if (!claimed) {
      if (marks.get(taskId)) wrong('The approved plan carries it over, and the evidence says nothing of that.');
      else if (executor === 'mission' && status === 'SUCCESS' && attempts.length === 0)
        wrong('SUCCESS although it was neither attempted nor carried over.');
      continue;
    }
    if (keyOf(claimed) !== keyOf(marks.get(taskId) ?? null))
      wrong('The approved plan does not carry it over from where the evidence says.');
    if (status !== 'SUCCESS' || attempts.length > 0) wrong('It was carried over, and yet attempted or not done.');
  }
  return findings;
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
    return {
      planned: null,
      findings: sealed ? [evidenceFinding('LOCKED_PLAN_MISSING', name, 'The bytes that were approved are gone.')] : [],
    };
  }
  const findings: EvidenceFinding[] = [];
  const recorded = [header.plan_sha256, ...(header.locked_plan === undefined ? [] : [header.locked_plan.sha256])];
  if (recorded.some((digest) => !sameDigest(digest, lockedPlan.sha256))) {
    findings.push(
      withForm(
        evidenceFinding(
          'PLAN_HASH_MISMATCH',
          name,
          `The locked plan has the hash ${lockedPlan.sha256}, the header ${header.plan_sha256}.`,
        ),
        hintFor(name, header.plan_sha256),
        evidenceDir(header.plan_id),
        header.mission_id ? keptPlanPath(header.mission_id) : null,
      ),
    );
  }
  // The exact bytes leave no other content; bytes that were only reformatted have the same.
  else if (header.plan_canonical_sha256 && !sameDigest(header.plan_canonical_sha256, lockedPlan.canonical_sha256 ?? ''))
    findings.push(
      evidenceFinding(
        'STATE_INCONSISTENT',
        evidenceNames.header,
        'The header has another digest of the plan’s content than the locked plan.',
        '/plan_canonical_sha256',
      ),
    );
  const plan = lockedPlan.value;
  const planned = taskIdsOf(plan);
  if (planned === null)
    findings.push(evidenceFinding('LOCKED_PLAN_INVALID', name, 'The locked plan cannot be read as a plan with tasks.'));
  else if (memberOf(plan, 'plan_id') !== header.plan_id) {
    findings.push(
      evidenceFinding('LOCKED_PLAN_INVALID', name, 'The locked plan has another plan_id than the header.', '/plan_id'),
    );
  }
  return { planned, findings };
}

function taskIdsOf(plan: unknown): readonly string[] | null {
  const tasks = memberOf(plan, 'tasks');
  if (!Array.isArray(tasks)) return null;
  const ids = tasks.map((task: unknown) => memberOf(task, 'task_id'));
  // What validates milestones has evidence like a task.
  return ids.every((id) => typeof id === 'string') ? [...ids, ...validatorIds(plan).values()] : null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** Compares the evidence of milestones with the header, the locked plan, and the evidence of what validated them. */
function checkMilestones({ header, lockedPlan, tasks, milestones, hintFor }: EvidenceFacts): EvidenceFinding[] {
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
function checkAcceptances(
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
