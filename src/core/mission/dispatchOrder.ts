import { priorities } from '../../contracts/vocabulary/intents';
import { lockConflict } from '../locks/conflicts';
import { waitsForPerson } from '../model/lanes';
import { surroundingsOf } from './ledgerDocument';
import { rowOf, type Mission, type TaskRow } from '../model/state';
import { prerequisitesEnded } from './milestones';

/**
 * The open rows that may start now, in this order: rows that a person retries, then by priority, then as in the plan.
 * While a task is blocked or a packet is open, only retried rows start. A row whose paths overlap a held lock waits,
 * and no overlapping row of lower priority starts before it.
 */
export function dispatchable(mission: Mission, open: readonly TaskRow[]): readonly TaskRow[] {
  const again = open.filter((row) => row.status === 'blocked' && row.retry);
  if (open.some(waitsForPerson) || mission.packets.some((packet) => packet.state.kind === 'open'))
    return free(mission, again);
  const done = new Set(mission.rows.flatMap(({ status, task }) => (status === 'done' ? [task.task_id] : [])));
  const ready = open.filter(
    ({ status, task }) =>
      status === 'todo' && task.depends_on.every((id) => done.has(id)) && prerequisitesEnded(mission, task),
  );
  // Sorting keeps the order of the plan among equals.
  return free(mission, [...again, ...ready.sort((left, right) => rank(right) - rank(left))]);
}

/** Puts the validation of a milestone last, because what else can start would change the files that it accepts. */
function rank({ task }: TaskRow): number {
  if (task.validator) return -1;
  return priorities.indexOf(task.priority);
}

/** The rows that overlap neither a held lock nor a waiting row of higher priority. */
function free(mission: Mission, rows: readonly TaskRow[]): readonly TaskRow[] {
  if (mission.lanes.length === 0) return rows;
  // A validation runs alone.
  if (mission.lanes.some(({ task_id }) => rowOf(mission, task_id)?.task.validator)) return [];
  const surroundings = surroundingsOf(mission);
  const overlaps = (left: TaskRow, right: TaskRow): boolean =>
    left.task.paths.some((a) => right.task.paths.some((b) => lockConflict(a, b, surroundings)));
  const holders = mission.rows.filter(({ lock }) => lock === 'held');
  const waiting: TaskRow[] = [];
  return rows.filter((row) => {
    const waits =
      row.task.validator !== undefined ||
      holders.some((other) => overlaps(other, row)) ||
      waiting.some((other) => rank(other) > rank(row) && overlaps(other, row));
    if (waits) waiting.push(row);
    return !waits;
  });
}
