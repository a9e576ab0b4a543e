import { withoutEnd } from '../../../base/text/plainLine';
import type { Criterion } from '../../../contracts/record/header';
import { nameOfChange, unreadPath } from '../../observation/outstanding';
import { fewNamed } from '../../../base/text/firstNamed';
import { criterionWords } from '../../../base/text/words';
import { outsideOf } from '../../lifecycle/parts/strays';
import { acceptedBy, acceptedWords } from '../parts/outstanding';
import { skippedCounts } from '../resolve/skip';
import type { EndedAttempt } from '../../model/attempt';
import { openChanges, type TaskRow, type Progress, type Tasks } from '../../model/state';

/** Reports every success criterion; those the runner cannot compute as not machine-checked. Source: decision 8. */
export function successCriteria(mission: Tasks): readonly Criterion[] {
  return mission.plan.success_criteria.map((criterion) =>
    withSkipped(mission, { criterion, ...checkCriterion(mission, criterion) }),
  );
}

/** With skipped tasks a criterion about tasks is at most "not machine checked". */
function withSkipped({ rows }: Tasks, { accepted_by, ...found }: Criterion): Criterion {
  const skipped = rows.flatMap((row) => (row.skipped ? [row.task.task_id] : []));
  if (skipped.length === 0 || found.result === 'unmet' || !concernsTasks(found.criterion))
    return { ...found, ...(accepted_by && { accepted_by }) };
  const detail = `Not checked for what was skipped (${some(skipped, ', ')}). Of the others: ${found.detail}`;
  return { ...found, result: 'not_machine_checked', detail };
}

/** Returns whether a criterion is about what tasks did, not about the bytes of the plan. */
export function concernsTasks(criterion: string): boolean {
  return criterion !== 'validator_passes';
}

type Checked = Omit<Criterion, 'criterion'>;

function checked(result: Criterion['result'], detail: string): Checked {
  return { result, detail };
}

function checkCriterion(mission: Tasks, criterion: string): Checked {
  switch (criterion) {
    case 'validator_passes':
      return checked('met', 'The plan passed validation before it was locked; its hash was checked before every task.');
    case 'no_scope_violation':
      return scopeReport(mission);
    case 'deterministic_execution': {
      const unordered = mission.rows.some((row) =>
        [...row.attempts, ...(row.carried?.attempts ?? [])].some(
          (attempt) => attempt.attempt > 1 && !attempt.decided_by && attempt.because === undefined,
        ),
      );
      return unordered
        ? checked('unmet', 'A task was attempted again without a recorded decision.')
        : checked('met', 'Every step follows from the journal; every repeated attempt names who decided it.');
    }
    default:
      return checked('not_machine_checked', 'This criterion is not known to the runner; a person has to check it.');
  }
}

/** Covers every attempt. Where changes could not be observed, a person has to look. */
function scopeReport(mission: Tasks): Checked {
  const attempts = mission.rows.flatMap((row) =>
    row.attempts.map((attempt) => ({ row, task_id: row.task.task_id, attempt })),
  );
  const violated = attempts.filter(({ attempt }) =>
    attempt.observed?.changes.some((change) => change.violation !== null),
  );
  const before = mission.rows.filter(({ carried }) =>
    carried?.attempts.some(({ changes }) => changes.some((change) => change.violation !== null)),
  );
  if (violated.length + before.length > 0) {
    const tasks = [...new Set([...before.map(({ task }) => task.task_id), ...violated.map(({ task_id }) => task_id)])];
    return checked('unmet', `Scope violations in ${tasks.join(', ')}.`);
  }
  const open = mission.rows.flatMap((row) =>
    openChanges(row).map((entry) => `${nameOfChange(entry)} blocked attempt ${entry.attempt} of ${row.task.task_id}`),
  );
  if (open.length > 0) return checked('unmet', `Neither gone nor accepted by a person: ${some(open)}.`);
  // Attempts that failed the mission put nothing on a list, because no person decides about them.
  const unlisted = attempts.flatMap(({ task_id, attempt }) =>
    attempt.failure === null || attempt.failure.kind === 'recoverable'
      ? []
      : (attempt.after_verify?.changes ?? [])
          .filter(({ blocks }) => blocks !== null)
          .map((change) => `${nameOfChange(change)} in attempt ${attempt.attempt} of ${task_id}`),
  );
  if (unlisted.length > 0) return checked('unmet', `Changed by verify commands, or beside them: ${some(unlisted)}.`);
  const unknown = mission.rows.flatMap((row) => row.attempts.flatMap((attempt) => unknownOf(row, attempt)));
  for (const { task, carried } of mission.rows) {
    for (const attempt of carried?.attempts ?? []) {
      if (attempt.observed_sha256 === null && attempt.launches.some((launch) => launch.started_at !== null))
        unknown.push(`the changes of attempt ${attempt.attempt} of ${task.task_id} could not be read`);
    }
  }
  if (unknown.length > 0) return checked('not_machine_checked', `A person has to look: ${unknown.join('; ')}.`);
  const layered = attempts.flatMap(({ row, task_id, attempt }) =>
    outsideOf(mission.plan, row, attempt).map(({ path }) => `${path} of ${task_id}`),
  );
  const notKept =
    layered.length === 0 ? '' : ` A layer took what workers wrote there, and none of it was kept: ${some(layered)}.`;
  const accepted = acceptedWords(mission.rows);
  if (accepted.length > 0)
    return {
      result: 'accepted',
      accepted_by: acceptedBy(mission.rows),
      detail: `No worker was observed to change anything outside its approved paths. Other changes that blocked were accepted by ${accepted.join('; by ')}.${notKept}`,
    };
  if (notKept) return checked('met', `No worker changed a file of the workspace outside its approved paths.${notKept}`);
  return checked(
    'met',
    mission.rows.some(hasChangeOutside)
      ? 'No worker was observed to change anything outside its approved paths.'
      : 'No change outside the approved paths was observed in any attempt.',
  );
}

/** Returns whether something changed outside the approved paths: by others, by a verify command, or in scratch. */
function hasChangeOutside({ attempts }: TaskRow): boolean {
  return attempts.some(({ observed, after_verify }) =>
    [observed, after_verify].some((seen) => (seen?.changes ?? []).some(({ in_scope }) => !in_scope)),
  );
}

/** Returns what is not known about an attempt, in words. */
function unknownOf(row: TaskRow, attempt: EndedAttempt): readonly string[] {
  const name = `attempt ${attempt.attempt} of ${row.task.task_id}`;
  const ran = attempt.launches.some((launch) => launch.process !== null || launch.end !== null);
  const entry = row.outstanding.find(
    (candidate) => candidate.kind === 'unread' && candidate.path === unreadPath(attempt.attempt),
  );
  const unread = (ran && !attempt.observed) || attempt.unread !== null;
  const by = entry?.settled?.how === 'accepted' ? ` (accepted by ${entry.settled.decision.actor.name})` : '';
  return [
    ...(unread && entry?.settled?.how !== 'gone' ? [`the changes of ${name} could not be read${by}`] : []),
    ...(attempt.scope_breach === null || isSettled(row, attempt.scope_breach)
      ? []
      : [`${name} was stopped because a write to ${attempt.scope_breach} was announced or seen`]),
  ];
}

/** Returns whether a change that stopped a worker is gone, or a person accepted it. */
function isSettled({ outstanding }: TaskRow, path: string): boolean {
  const entries = outstanding.filter((entry) => entry.path === path);
  return entries.length > 0 && entries.every(({ settled }) => settled !== null);
}

/** Says how the mission completed, and names the criteria that the runner did not check. */
export function completedReason({ criteria, rows }: Progress): string {
  const skipped = skippedCounts(rows);
  const done =
    skipped === ''
      ? 'All tasks are done'
      : `${rows.filter(({ status }) => status === 'done').length} of ${rows.length} tasks are done, ${skipped}`;
  const accepted = acceptedWords(rows, fewNamed).map((words) => ` Accepted by ${withoutEnd(words)}.`);
  const unchecked = (criteria ?? []).filter(({ result }) => result !== 'met' && result !== 'accepted');
  if (unchecked.length > 0) {
    const open = unchecked.map(({ criterion, detail }) => `${criterion}: ${withoutEnd(detail)}`);
    return `${done}. Not checked by the runner, for a person to judge: ${some(open)}.${accepted.join('')}`;
  }
  const held = (criteria ?? []).filter(({ result }) => result === 'met').length;
  const criteriaEnd =
    held === (criteria ?? []).length
      ? held > 0
        ? ' and the success criteria hold.'
        : '; the plan names no success criteria.'
      : `; ${(criteria ?? []).flatMap((one) => (one.result === 'accepted' ? [`${one.criterion} was ${criterionWords(one)}`] : [])).join(', ')}${held > 0 ? ', and the other success criteria hold' : ''}.`;
  return `${done}${criteriaEnd}${accepted.join('')}`;
}

function some(all: readonly string[], between = '; '): string {
  return all.length > 10 ? `${all.slice(0, 10).join(between)} and ${all.length - 10} more` : all.join(between);
}
