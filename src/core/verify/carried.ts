import { objectAt, objectsAt, textAt, type JsonObject } from '../../base/json';
import { evidenceFinding, type EvidenceFinding } from '../../contracts/vocabulary/evidenceFindings';
import type { CarriedFrom } from '../plan/approvedPlan';
import type { EvidenceFacts, JournalFacts } from './facts';

/**
 * Checks tasks that a revision carries over: the approved plan marks exactly them, they have no attempt, and the
 * journal recorded the same. Without an attempt, no other task is a success.
 */
export function checkCarriedTasks(
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
