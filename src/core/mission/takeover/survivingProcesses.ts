import { unprovenLaunch, type EndedAttempt } from '../../model/attempt';
import type { Mission, UnprovenTree, Progress, Tasks } from '../../model/state';

/** The launch whose processes were not proven gone, so that the row keeps its lock; null when they were. */
export function unprovenTree(attempt: EndedAttempt): UnprovenTree | null {
  const launch = unprovenLaunch(attempt);
  return launch ? { launch_id: launch.launch_id, run_dir: launch.run_dir, looks: 0, due: false } : null;
}

/** After a person's decision, processes that were not proven gone are looked for again. */
export function retryTreeSearch(mission: Mission): Mission {
  if (!mission.rows.some((row) => row.unproven)) return mission;
  return {
    ...mission,
    rows: mission.rows.map((row) => (row.unproven ? { ...row, unproven: { ...row.unproven, due: true } } : row)),
  };
}

export function hasUnprovenProcesses({ rows }: Tasks): boolean {
  return rows.some(({ unproven }) => unproven && !unproven.due);
}

export function cancelUnderWay(mission: Progress): boolean {
  return mission.cancel !== null && !hasUnprovenProcesses(mission);
}
