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

/** Looking on its own was in vain: a person has to end what may still run, and say so. */
export function treeWaits({ rows }: Mission): boolean {
  return rows.some(({ unproven }) => unproven && !unproven.due);
}

/** A cancel was asked for, and nothing holds it up: asking again has no effect. */
export function cancelUnderWay(mission: Mission): boolean {
  return mission.cancel !== null && !treeWaits(mission);
}
