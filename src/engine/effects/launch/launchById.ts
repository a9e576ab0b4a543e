import { laneOfLaunch } from '../../../core/model/lanes';
import type { Attempt, Launch } from '../../../core/model/attempt';
import { rowOf, type TaskRow, type Tasks } from '../../../core/model/state';

/** A launch of a live attempt, with the attempt and its row. */
export interface LiveLaunch {
  readonly launch: Launch;
  readonly lane: Attempt;
  readonly row: TaskRow;
}

export function launchById(mission: Tasks, launchId: string): LiveLaunch {
  const found = laneOfLaunch(mission, launchId);
  const row = found && rowOf(mission, found.lane.task_id);
  if (!found || !row) throw new Error(`No launch ${launchId} in a live attempt.`);
  return { ...found, row };
}
