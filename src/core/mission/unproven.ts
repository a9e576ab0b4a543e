import { unprovenLaunch, type EndedAttempt, type Mission, type UnprovenTree } from '../model/state';

/** What holds the lock of a row after an attempt whose processes were not proven gone; null when they were. */
export function unprovenTree(attempt: EndedAttempt): UnprovenTree | null {
  const launch = unprovenLaunch(attempt);
  return launch ? { launch_id: launch.launch_id, run_dir: launch.run_dir, looks: 0, due: false } : null;
}

/** A person acted on the mission: what could not be proven gone is looked for once more. */
export function lookAgain(mission: Mission): Mission {
  if (!mission.rows.some((row) => row.unproven)) return mission;
  return {
    ...mission,
    rows: mission.rows.map((row) => (row.unproven ? { ...row, unproven: { ...row.unproven, due: true } } : row)),
  };
}
