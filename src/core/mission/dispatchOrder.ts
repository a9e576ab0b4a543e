import { priorities } from '../../contracts/vocabulary/intents';
import { lockConflict } from '../locks/conflicts';
import { surroundingsOf } from './ledgerDocument';
import type { Mission, TaskRow } from './state';

/**
 * The open rows that may be started now, in the order in which they are: what somebody chose to try again, then by
 * priority, then as the plan lists them. Past a block, and while a packet is open, nothing is started that nobody chose.
 * A row waits while the lock of a live lane overlaps its own. The same journal always gives the same order.
 */
export function dispatchable(mission: Mission, open: readonly TaskRow[]): readonly TaskRow[] {
  const free = open.filter((row) => !locked(mission, row));
  const again = free.filter((row) => row.status === 'blocked' && row.retry);
  const blocked = open.some((row) => row.status === 'blocked' && !row.retry);
  if (blocked || mission.packets.some((packet) => packet.state.kind === 'open')) return again;
  const done = new Set(mission.rows.flatMap(({ status, task }) => (status === 'done' ? [task.task_id] : [])));
  const ready = free.filter((row) => row.status === 'todo' && row.task.depends_on.every((id) => done.has(id)));
  // Sorting keeps the order of the plan among equals.
  return [...again, ...ready.sort((left, right) => rank(right) - rank(left))];
}

function rank({ task }: TaskRow): number {
  return priorities.indexOf(task.priority);
}

function locked(mission: Mission, row: TaskRow): boolean {
  if (mission.lanes.length === 0) return false;
  const surroundings = surroundingsOf(mission);
  const held = mission.rows.filter((other) => other !== row && other.lock === 'held');
  return held.some(({ task }) =>
    task.paths.some((left) => row.task.paths.some((right) => lockConflict(left, right, surroundings))),
  );
}
