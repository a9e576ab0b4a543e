import { withoutEnd } from '../../../base/text/plainLine';
import { changed } from '../../model/draft';
import type { MissionEvent } from '../../model/events';
import type { Report } from '../../model/inputs';
import { type Mission, type TaskRow, rowOf, type Progress, type Tasks, type ReceivedPlan } from '../../model/state';
import type { PlannedTask } from '../../plan/approvedPlan';
import type { AttemptEvidence } from '../../../contracts/taskEvidence';
import { answersFor, isFailed, statusIn, statusOf } from '../../lifecycle/judge/judgeReport';
import type { EndedAttempt } from '../../model/attempt';

/** Returns whether every task that has to have ended before has: done, or skipped by a person. */
export function prerequisitesEnded(mission: Tasks, { after = [] }: PlannedTask): boolean {
  return after.every((id) => {
    const { status, skipped } = rowOf(mission, id);
    return status === 'done' || (status === 'canceled' && skipped !== null);
  });
}

/**
 * Returns what has to happen before a task starts, or the mission ends (null), because it relies on accepted
 * milestones: their files are read, once. Null: nothing has to; empty: they are being read.
 */
export function acceptanceDue(mission: Tasks, next: PlannedTask | null): readonly MissionEvent[] | null {
  const relied = mission.rows.filter(
    (row) => row.task.validator && row.status === 'done' && reliesOn(mission, row, next),
  );
  if (relied.every(({ acceptance }) => acceptance?.check === 'held')) return null;
  if (relied.some(({ acceptance }) => acceptance?.check === 'asked')) return [];
  return relied.flatMap((row): readonly MissionEvent[] =>
    row.acceptance === null
      ? lost(row, 'nothing tells for which files it was accepted', { tree_sha256: null, head: null })
      : row.acceptance.check === 'none'
        ? [{ type: 'AcceptanceAsked', task_id: row.task.task_id }]
        : [],
  );
}

/** Returns whether the mission ends whatever its files are, so that no acceptance is relied on any longer. */
export function endsUnread({ execution, cancel, moved, rows }: Progress): boolean {
  return execution !== 'EXECUTING' || (cancel ?? moved) !== null || rows.some(({ status }) => status === 'failed');
}

/** Later milestones change the files, so an acceptance is relied on until something of a later one has started. */
function reliesOn(mission: Tasks, { task }: TaskRow, next: PlannedTask | null): boolean {
  const place = placeOf(mission, task);
  const isLater = (other: PlannedTask): boolean => placeOf(mission, other) > place;
  if (next && !isLater(next)) return false;
  return !mission.rows.some((row) => isLater(row.task) && row.started_at !== null && !row.revised);
}

/** The place of its milestone; -1: it belongs to none. */
function placeOf({ plan }: ReceivedPlan, { milestone }: PlannedTask): number {
  return (plan.milestones ?? []).findIndex(({ id }) => id === milestone);
}

/** Compares the files with those that were accepted; what a mission that ends relied on stays as it was recorded. */
export function acceptanceChecked(
  mission: Progress,
  { task_id, tree_sha256, head, reason }: Extract<Report, { type: 'TreeWasRead' }>,
): readonly MissionEvent[] {
  const row = rowOf(mission, task_id);
  if (row.acceptance?.check !== 'asked' || endsUnread(mission)) return [];
  const found = { tree_sha256, head };
  if (tree_sha256 === null) return lost(row, `the files could not be read (${withoutEnd(reason)})`, found);
  if (tree_sha256.toUpperCase() !== row.acceptance.tree_sha256.toUpperCase())
    return lost(row, 'the files are not those that it was accepted for', found);
  return [
    { type: 'AcceptanceChecked', task_id, holds: true, reason: 'The files are those that were accepted.', ...found },
  ];
}

/** Files that change again and again end in a pause: each validation has a price. */
function lost(
  { task, attempts }: TaskRow,
  why: string,
  found: { readonly tree_sha256: string | null; readonly head: string | null },
): readonly MissionEvent[] {
  const { task_id, milestone = '' } = task;
  const reason = `Milestone ${milestone} is validated again: ${why}.`;
  const again = attempts.filter(({ because }) => because !== undefined).length;
  return [
    { type: 'AcceptanceChecked', task_id, holds: false, reason, ...found },
    { type: 'RowTransitioned', task_id, from: 'done', to: 'todo', code: null, reason },
    ...(again > 0 && again % (task.validator?.failure_limit ?? 1) === 0
      ? [{ type: 'MissionPaused', reason: `${reason} That was so ${again} times; look what changes them.` } as const]
      : []),
  ];
}

/** Time may pass with a command or a new owner, so the files are read anew. */
export function acceptancesUnread(mission: Mission): Mission {
  if (mission.rows.every(({ acceptance }) => acceptance?.check !== 'held')) return mission;
  return changed(mission, {
    rows: mission.rows.map((row) =>
      row.acceptance?.check === 'held' ? { ...row, acceptance: { ...row.acceptance, check: 'none' as const } } : row,
    ),
  });
}

/** Returns what an attempt found of its milestone, also before a handoff; undefined: it validated nothing. */
export function validationIn(row: TaskRow, attempt: number): AttemptEvidence['validation'] {
  const here = row.attempts.find((one) => one.attempt === attempt);
  if (here) return validationFacts(row, here);
  return row.carried?.attempts.find((one) => one.attempt === attempt)?.validation;
}

/** Returns what an attempt found that validated a milestone: the report of an agent, or what people answered. */
export function validationFacts(row: TaskRow, attempt: EndedAttempt): AttemptEvidence['validation'] {
  const { validator } = row.task;
  if (!validator) return undefined;
  const { claim, tree } = attempt;
  const report = claim.kind === 'report' ? claim.report : null;
  const earlier = { carried: row.carried, attempts: row.attempts.filter((one) => one.attempt < attempt.attempt) };
  const answers = answersFor(earlier, attempt.answers, tree ?? '');
  const assertions = validator.assertions.map(({ id, text }) => {
    const found = report?.assertions.find(({ assertionId }) => assertionId === id);
    if (found) return { id, assertion: text, status: found.status, evidence: found.evidence, decision: null };
    const answer = answers.get(id);
    if (!answer) return { id, assertion: text, status: null, evidence: '', decision: null };
    const { decision } = answer;
    return { id, assertion: text, status: statusIn(answer), evidence: decision.reason, decision };
  });
  const answered = assertions.length > 0 && answers.size === assertions.length;
  return {
    status: report ? report.status : answered ? statusOf([...answers.values()].map(statusIn)) : null,
    failed: isFailed(attempt),
    tree_sha256: tree ?? null,
    assertions,
    report,
  };
}
