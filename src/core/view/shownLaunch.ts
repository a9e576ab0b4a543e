import { laneLimit, laneOfLaunch } from '../model/lanes';
import type { LaunchPurpose } from '../model/events';
import type { Mission } from '../model/state';

/** What a view shows of a live launch. */
export interface ShownLaunch {
  readonly task_id: string;
  /** Name of the run directory below `runs/`. */
  readonly run_dir: string;
  readonly purpose: LaunchPurpose['kind'];
  /** Whether others may run at the same time. */
  readonly in_lanes: boolean;
}

/** Null when the launch is not live. */
export function shownLaunch(mission: Mission, launchId: string): ShownLaunch | null {
  const found = laneOfLaunch(mission, launchId);
  if (!found) return null;
  const { lane, launch } = found;
  const { run_dir, purpose } = launch;
  return { task_id: lane.task_id, run_dir, purpose: purpose.kind, in_lanes: laneLimit(mission) > 1 };
}

/** The task in the name of a run directory. */
export function taskOfRunDir(name: string): string {
  return name.replace(/^\d+-/, '');
}
