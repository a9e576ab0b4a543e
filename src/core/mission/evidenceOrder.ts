import { isOpen } from '../ledger/transitions';
import type { Mission, TaskRow } from '../model/state';

/** It has ended and its evidence is not recorded yet. */
export function evidenceDue({ status, evidence }: TaskRow): boolean {
  return !isOpen(status) && !evidence;
}

/**
 * Evidence lies in the repository, and lanes look at the repository, before their worker and after it: whichever came
 * first in the journal goes first. So a lane sees evidence whole and recorded, or not at all.
 */
export function evidenceComesFirst(mission: Mission, since: number): boolean {
  return mission.rows.some((row) => evidenceDue(row) && endedBefore(row, since));
}

/** Whether a lane has looked at the repository since before the row ended. */
export function lookedAtSinceBefore(mission: Mission, row: TaskRow): boolean {
  return mission.lanes.some(
    ({ stage }) => (stage.at === 'baseline' || stage.at === 'observing') && !endedBefore(row, stage.since),
  );
}

function endedBefore({ ended_seq }: TaskRow, since: number): boolean {
  return ended_seq === null || ended_seq < since;
}
