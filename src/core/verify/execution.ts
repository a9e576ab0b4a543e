import { withProvenHints } from './confirmed';
import { checkStates, checkTasks } from './consistency';
import type { EvidenceFacts, JournalFacts } from './facts';
import {
  type EvidenceFinding,
  evidenceFinding,
  withForm,
  sameDigest,
} from '../../contracts/vocabulary/evidenceFindings';
import { checkJournal } from './journal';
import { checkAcceptances, checkMilestones } from './milestones';
import { objectAt, objectsAt, textAt, type JsonObject } from '../../base/json';
import type { CarriedFrom } from '../plan/approvedPlan';
import { evidenceNames, keptPlanPath } from '../../contracts/vocabulary/evidenceFiles';
import { evidenceDir } from '../evidence/places';
import { validatorIds } from '../plan/milestones';

/** Checks the approved bytes of one execution, its documents against each other, and all against a journal, if any. */
export function checkExecution(read: EvidenceFacts, journal: JournalFacts | null): readonly EvidenceFinding[] {
  const facts = withProvenHints(read, journal);
  const { planned, findings } = checkLockedPlan(facts);
  return [
    ...findings,
    ...(facts.sealed
      ? [
          ...checkTasks(facts, planned),
          ...checkStates(facts),
          ...checkMilestones(facts),
          ...checkCarriedTasks(facts, journal),
        ]
      : []),
    ...(journal ? [...checkJournal(facts, journal), ...checkAcceptances(facts, journal)] : []),
  ];
}

/**
 * Checks tasks that a revision carries over: the approved plan marks exactly them, they have no attempt, and the
 * journal recorded the same. Without an attempt, no other task is a success.
 */
function checkCarriedTasks(
  { lockedPlan, tasks }: EvidenceFacts,
  journal: JournalFacts | null,
): readonly EvidenceFinding[] {
  const marks = new Map(
    objectsAt(lockedPlan?.value, 'tasks').map(([task]) => [textAt(task, 'task_id'), objectAt(task, 'carried_from')]),
  );
  const recorded = journal && recordedIn(journal);
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
    if (recorded && recorded.get(taskId) !== keyOf(claimed))
      findings.push(
        evidenceFinding(
          'JOURNAL_DISAGREES',
          file,
          'The file says that the task was carried over from there; the journal does not.',
          '/carried_from',
        ),
      );
  }
  return findings;
}

function recordedIn({ entries }: JournalFacts): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { event } of entries) {
    const carried =
      event.type === 'TasksCarried'
        ? event.tasks
        : event.type === 'HandoffImported'
          ? event.rows.flatMap(({ revised }) => revised ?? [])
          : [];
    for (const { task_id, from } of carried) found.set(task_id, keyOf(from));
  }
  return found;
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
