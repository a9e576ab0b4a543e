import { laneLimit, laneOfLaunch } from '../../model/lanes';
import type { WorkerName } from '../../../contracts/vocabulary/workers';
import type { AttemptRecord, Launch } from '../../model/attempt';
import type { LaunchPurpose } from '../../model/events';
import { sessionOf } from '../../model/session';
import { workerOf, type Mission, type Tasks } from '../../model/state';

export interface ShownLaunch {
  readonly task_id: string;
  /** Name of the run directory below `runs/`. */
  readonly run_dir: string;
  readonly purpose: LaunchPurpose['kind'];
  readonly worker: WorkerName;
  readonly attempt: number;
  /** Counts the launches of the worker in this attempt; of a verify command, those before it. */
  readonly launch: number;
  /** Whether others may run at the same time. */
  readonly in_lanes: boolean;
}

/** Null: the launch is not live. */
export function shownLaunch(mission: Tasks, launchId: string): ShownLaunch | null {
  const found = laneOfLaunch(mission, launchId);
  if (!found) return null;
  const { lane, launch } = found;
  const { run_dir, purpose } = launch;
  return {
    task_id: lane.task_id,
    run_dir,
    purpose: purpose.kind,
    worker: workerOf(mission, lane.task_id, launch),
    attempt: lane.attempt,
    launch: launchNumber(lane, launch),
    in_lanes: laneLimit(mission) > 1,
  };
}

/** The prepared session of an orchestrator, as a view shows it; null when it is not under way. */
export function shownSession(
  mission: Tasks,
  launchId: string,
): Pick<ShownLaunch, 'task_id' | 'run_dir' | 'worker'> | null {
  const session = sessionOf(mission, launchId);
  const worker = session?.launch.prepared?.worker;
  return session && worker ? { task_id: session.task_id, run_dir: session.launch.run_dir, worker } : null;
}

/** Says which launch of its attempt's worker it is, or the last one before it. */
export function launchNumber({ launches }: AttemptRecord, launch: Launch): number {
  const until = launches.slice(0, launches.indexOf(launch) + 1);
  return until.filter(({ purpose }) => purpose.kind === 'worker').length;
}

/** @param name of the directory below `runs/` @returns POSIX, relative to the workspace root */
export function runDirOf({ mission_id }: Pick<Mission, 'mission_id'>, name: string): string {
  return `.mission-control/missions/${mission_id}/runs/${name}`;
}

export function taskOfRunDir(name: string): string {
  return name.replace(/^\d+-/, '');
}
