import { laneOfLaunch } from '../../core/mission/lanes';
import { rowOf, type Attempt, type Launch, type Mission } from '../../core/mission/state';
import type { PlannedTask } from '../../core/plan/approvedPlan';

/** A launch of a live attempt, with the attempt and its task. */
export interface LiveLaunch {
  readonly launch: Launch;
  readonly lane: Attempt;
  readonly task: PlannedTask;
}

export function launchById(mission: Mission, launchId: string): LiveLaunch {
  const found = laneOfLaunch(mission, launchId);
  const task = found && rowOf(mission, found.lane.task_id)?.task;
  if (!found || !task) throw new Error(`No launch ${launchId} in a live attempt.`);
  return { ...found, task };
}
