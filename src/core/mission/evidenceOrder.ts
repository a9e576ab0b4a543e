import { isOpen } from '../ledger/transitions';
import type { Mission, TaskRow } from '../model/state';

/** Returns whether the task has ended and its evidence is not recorded yet. */
export function evidenceDue({ status, evidence }: TaskRow): boolean {
  return !isOpen(status) && !evidence;
}

/**
 * Returns whether evidence has to be written before a scan that the journal requested at `since`.
 * Evidence lies in the workspace that lanes scan. Evidence writes and scans run in journal order,
 * never at once. So a scan sees evidence whole or not at all.
 */
export function evidenceComesFirst(mission: Mission, since: number): boolean {
  return mission.rows.some((row) => evidenceDue(row) && endedBefore(row, since));
}

/**
 * Returns whether a scan is under way that was requested before the row ended. The evidence of the
 * row then has to wait.
 */
export function scanComesFirst(mission: Mission, row: TaskRow): boolean {
  return mission.lanes.some(
    ({ stage }) => (stage.at === 'baseline' || stage.at === 'observing') && !endedBefore(row, stage.since),
  );
}

function endedBefore({ ended_seq }: TaskRow, since: number): boolean {
  return ended_seq === null || ended_seq < since;
}
